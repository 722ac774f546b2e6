package io.millrace.controller.core;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.controller.core.Observation.ConfigSeen;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.topic.ConfigRules;
import io.millrace.controller.topic.TopicCreation;
import io.millrace.controller.topic.TopicDeletion;
import io.millrace.controller.topic.TopicGrowth;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.BalanceShards;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ResignController;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import lombok.extern.slf4j.Slf4j;
import org.slf4j.event.Level;

/// What follows from what happened: state and event in, [Decision] out. It reads no clock and does no I/O; ids and
/// placement come from the sources it was given.
@Slf4j
public final class Decider {
    private final TopicRules rules;
    private final ElectionRules elections;
    private final TopicDecisions topics;
    private final CommandDecisions commands;
    private final Moves moves;
    private final ReplicaCommands replicas;
    private final Shutdowns shutdowns;
    private final Settlement settlement;
    private final Drains drains;

    /// @param internalTopics how those of each kind are made
    /// @param elections who may lead
    /// @param ids of new topics, none given twice
    /// @param random where placement begins
    public Decider(TopicRules rules, ConfigRules configs, InternalTopics internalTopics,
            ElectionRules elections,
            Supplier<UUID> ids, RandomGenerator random) {
        this.rules = rules;
        topics = new TopicDecisions(ids);
        var creation = new TopicCreation(rules, configs, random);
        this.elections = elections;
        moves = new Moves(elections);
        settlement = new Settlement(creation, topics, internalTopics, elections, moves);
        replicas = new ReplicaCommands(settlement, moves);
        shutdowns = new Shutdowns(settlement);
        drains = new Drains(settlement);
        commands = new CommandDecisions(creation, new TopicGrowth(), new TopicDeletion(rules),
                configs, topics, settlement, internalTopics);
    }

    /// What the first look at the whole cluster comes to. Nodes are presumed active: see [NodeLife#registered].
    Decision takeOver(Office office, Observation seen) {
        var draft = new Draft(ControllerState.atStart(office), elections);
        draft.record(new ControllerElected(office.controllerId(), office.epoch()));
        observe(draft, seen, true);
        return draft.decision();
    }

    /// Decides as at the beginning of a term, for nothing.
    void rehearse(Observation seen) {
        var office = new Office(0, 0, 0);
        log.debug("rehearsed records={}", takeOver(office, seen).records().size());
    }

    /// What a look at ZooKeeper comes to, whether at all of it or at a part.
    Decision observed(ControllerState state, Observation seen) {
        var draft = new Draft(state, elections);
        observe(draft, seen, false);
        return draft.decision();
    }

    /// What an event comes to.
    Decision happened(ControllerState state, ControllerEvent event) {
        var draft = new Draft(state, elections);
        NodeDecisions.happened(draft, event);
        settlement.settle(draft, state.image());
        return draft.decision();
    }

    /// What comes of moving at most so many shards towards an even spread.
    Decision evened(ControllerState state, int mostMoves) {
        var draft = new Draft(state, elections);
        Shards.settle(draft, mostMoves);
        return draft.decision();
    }

    /// What comes of giving `partitions` back to their preferred leaders.
    Decision givenBack(ControllerState state, List<TopicPartition> partitions) {
        var draft = new Draft(state, elections);
        Elections.giveBack(draft, partitions);
        return draft.decision();
    }

    /// What a command comes to.
    ///
    /// @throws io.millrace.metadata.command.CommandRefused where it is refused as a whole
    <R> Answer<R> asked(ControllerState state, Command<R> command) {
        var draft = new Draft(state, elections);
        var answer = switch (command) {
            case CreateTopics create -> commands.create(draft, create);
            case DeleteTopics delete -> commands.delete(draft, delete);
            case CreatePartitions grow -> commands.grow(draft, grow);
            case AlterConfigs alter -> commands.alter(draft, alter);
            case AllocateProducerIds allocate -> NodeCommands.allocate(draft, allocate);
            case ControlledShutdown shutDown -> shutdowns.asked(draft, shutDown);
            case AlterPartition alter -> replicas.alter(draft, alter);
            case ReplicasOffline offline -> replicas.offline(draft, offline);
            case ElectLeaders elect -> Elections.elect(draft, elect);
            case AlterReassignments alter -> moves.alter(draft, alter);
            case ShardsPrepared prepared -> Shards.prepared(draft, prepared);
            case BalanceShards balance -> Shards.balance(draft, balance);
            case DrainCoordinator drain -> drains.asked(draft, drain);
            case ResignController _,DescribeSubscribers _ -> throw new IllegalArgumentException(
                    "nothing to decide: the controller's node answers " + command);
        };
        return typed(command, answer);
    }

    private static <R> Answer<R> typed(Command<R> command, Answer<?> answer) {
        var type = command.resultType();
        return new Answer<>(answer.decision(), type.cast(answer.result()), type.cast(answer.late()), answer
                .waitMillis(), answer.goesOn());
    }

    private void observe(Draft draft, Observation seen, boolean takeOver) {
        var before = draft.image();
        var whole = seen.whole();
        if (whole != null) {
            observeWhole(draft, whole);
            forgetOrphans(draft, whole, seen.deletions());
        }
        observeShards(draft, seen);
        seen.configs().forEach((resource, config) -> observeConfig(draft, resource, config));
        seen.topics().forEach((name, topic) -> topics.seen(draft, name, topic));
        if (whole != null) {
            observeMissing(draft, seen, whole.orphanedIds());
        }
        // After the states of partitions: what follows from nodes must begin with what is in ZooKeeper now.
        var nodes = seen.nodes();
        if (nodes != null) {
            if (NodeDecisions.bury(draft, nodes)) {
                settlement.settle(draft, before);
            }
            NodeDecisions.registered(draft, nodes, takeOver);
        }
        seen.deletions().forEach(name -> observeDeletion(draft, name));
        var asked = seen.askedMoves();
        if (asked != null) {
            moves.asked(draft, asked);
        }
        if (whole == null) {
            settlement.settle(draft, before);
        } else {
            settlement.settle(draft);
        }
        var election = seen.askedElection();
        if (election != null) {
            Elections.asked(draft, election);
        }
    }

    private static void observeWhole(Draft draft, Observation.Whole whole) {
        if (!whole.clusterId().equals(draft.image().clusterId())) {
            draft.record(new ClusterIdentified(whole.clusterId()));
        }
    }

    private static void observeShards(Draft draft, Observation seen) {
        var ids = seen.producerIds();
        if (ids != null) {
            draft.update(state -> state.with(ids));
        }
        seen.shards().forEach((kind, shards) -> Shards.seen(draft, kind, shards));
    }

    /// What nobody knows but for the copies of their ids cannot be brought back.
    private static void forgetOrphans(Draft draft, Observation.Whole whole, Set<String> deletions) {
        whole.orphanedIds().stream().filter(name -> draft.image().topic(name).isEmpty()).forEach(name -> {
            draft.write(new StoreWrite.TopicIdForgotten(name));
            if (!deletions.contains(name)) {
                draft.note(Level.WARN,
                        "topic node was removed by hand while no controller was active, brokers delete their"
                                + " logs of it topic=" + name);
            }
        });
    }

    private static void put(Draft draft, MetadataRecord record, boolean known) {
        if (!known) {
            draft.record(record);
        }
    }

    private static void observeConfig(Draft draft, ConfigResource resource, ConfigSeen seen) {
        switch (seen) {
            case ConfigSeen.Present(Map<String, String> values, int version) -> {
                draft.update(state -> state.withConfig(resource, version));
                put(draft, new ConfigPut(resource, values), values.equals(draft.image().configs().of(resource)));
            }
            case ConfigSeen.Absent _ -> {
                draft.update(state -> state.withoutConfig(resource));
                put(draft, new ConfigPut(resource, Map.of()), draft.image().configs().of(resource).isEmpty());
            }
            case ConfigSeen.Unreadable(int version) -> draft.update(state -> state.withConfig(resource, version));
        }
    }

    /// What is known and was not there when everything was read.
    private void observeMissing(Draft draft, Observation seen, Set<String> orphanedIds) {
        var lostTopics = new HashSet<>(draft.image().topics().byName().keySet());
        lostTopics.removeAll(seen.topics().keySet());
        lostTopics.forEach(name -> topics.seen(draft, name, new Observation.TopicSeen.Absent(orphanedIds.contains(name)
                ? draft.image().topic(name).map(TopicImage::id).orElse(null)
                : null)));
        var lostConfigs = new HashSet<>(draft.state().configVersions().keySet());
        lostConfigs.removeAll(seen.configs().keySet());
        lostConfigs.forEach(resource -> observeConfig(draft, resource, new ConfigSeen.Absent()));
    }

    private void observeDeletion(Draft draft, String name) {
        if (!rules.deletionEnabled()) {
            draft.write(new StoreWrite.DeletionRefused(name));
            return;
        }
        // Without a topic there may still be a half that an earlier controller did not get to.
        draft.image().topic(name).ifPresentOrElse(topic -> topics.delete(draft, topic), () -> draft.write(
                new StoreWrite.TopicDeletion(name)));
    }
}
