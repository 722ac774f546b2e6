package io.millrace.controller.core;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.millrace.controller.core.ControllerState.AskedMoves;
import io.millrace.controller.core.Observation.MovesSeen;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.partition.LiveReplicas;
import io.millrace.controller.reassignment.Reassignment;
import io.millrace.controller.reassignment.Targets;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.event.Level;

/// Moves of partitions: how they are asked for by command and by the node of old tools, and how they go on whenever ISRs or
/// brokers change. Each step is durable before the next, and what is written says all: a controller that takes over between
/// any two writes finishes what it finds.
final class Moves {
    /// Nodes hear of a move as fast as of anything else; a client may be willing to wait much longer for a node that is stuck.
    private static final long MOST_WAIT_MILLIS = 5_000;
    private static final int MOST_NAMED = 20;

    private final ElectionRules rules;

    Moves(ElectionRules rules) {
        this.rules = rules;
    }

    /// Each target for itself.
    Answer<AlterReassignments.Result> alter(Draft draft, AlterReassignments command) {
        var start = draft.decision();
        var plan = new Plan(draft);
        var outcomes = command.targets()
                .stream()
                .map(target -> plan(target, command.allowReplicationFactorChange(), plan))
                .toList();
        var result = new AlterReassignments.Result(outcomes);
        if (command.validateOnly()) {
            return Answer.atOnce(start, result);
        }
        // Before all else: a controller that takes over must not take up again what this command replaces.
        leave(draft, draft.state().askedMoves().moves().stream().filter(move -> !plan.has(move)).toList());
        carryOut(draft, plan, start.next().image());
        return new Answer<>(draft.decision(), result, result, Math.min(MOST_WAIT_MILLIS, command.timeoutMillis()));
    }

    /// What the node of old tools asks for, taken up where it is not already. Nothing of it waits for ever: what cannot be
    /// done goes, with a reason in the log.
    void asked(Draft draft, MovesSeen seen) {
        switch (seen) {
            case MovesSeen.Absent _ -> draft.update(state -> state.with(AskedMoves.NONE));
            case MovesSeen.Unreadable(int version) -> {
                draft.update(state -> state.with(new AskedMoves(List.of(), version)));
                draft.note(Level.WARN, "moves asked for by an old tool are dropped reason=the node cannot be read");
                prune(draft);
            }
            case MovesSeen.Present(List<Move> moves, int version) -> {
                draft.update(state -> state.with(new AskedMoves(moves, version)));
                take(draft, moves);
                prune(draft);
            }
        }
    }

    /// Ends the moves that have arrived.
    ///
    /// @param before the image that the draft began with; what is the same there has not arrived since
    void goOn(Draft draft, ClusterImage before) {
        var changes = draft.changes(before);
        var topics = new HashSet<>(changes.topics());
        changes.nodes()
                .stream()
                .filter(node -> node.role() == Role.BROKER)
                .forEach(node -> topics.addAll(draft.state().topicsByBroker().of(node.id())));
        end(draft, topics);
        if (!topics.isEmpty() || !changes.removedTopics().isEmpty()) {
            prune(draft);
        }
    }

    /// Ends whatever has arrived.
    void goOn(Draft draft) {
        end(draft, Set.copyOf(draft.image().topics().byId().keySet()));
        prune(draft);
    }

    /// What partitions become, by topic.
    private static final class Plan {
        private final ClusterImage image;
        private final LiveReplicas live;
        private final Map<String, Map<Integer, PartitionImage>> byTopic = new LinkedHashMap<>();

        Plan(Draft draft) {
            image = draft.image();
            live = draft.live();
        }

        void add(String topic, PartitionImage next) {
            var planned = byTopic.computeIfAbsent(topic, _ -> new LinkedHashMap<>());
            if (planned.putIfAbsent(next.partition(), next) != null) {
                throw new Refused(Errors.INVALID_REQUEST, "Partition " + topic + "-" + next.partition()
                        + " is named twice.");
            }
        }

        boolean has(Move move) {
            return byTopic.getOrDefault(move.topic(), Map.of()).containsKey(move.partition());
        }

        /// Those that differ from what they are.
        List<PartitionImage> changed(TopicImage topic) {
            return byTopic.getOrDefault(topic.name(), Map.of())
                    .values()
                    .stream()
                    .filter(next -> topic.partition(next.partition()).filter(next::equals).isEmpty())
                    .toList();
        }

        List<TopicImage> topics() {
            return byTopic.keySet().stream().map(name -> image.topic(name).orElseThrow()).toList();
        }
    }

    private PartitionImage planned(Target target, boolean replicationFactorMayChange, Plan plan) {
        var image = plan.image;
        var topic = image.topic(target.topic()).orElseThrow(Moves::noPartition);
        var now = topic.partition(target.partition()).orElseThrow(Moves::noPartition);
        var brokers = plan.live.of(topic.id(), now.partition());
        boolean unclean = rules.uncleanAllowed(image, topic.name());
        var replicas = target.replicas();
        if (replicas == null) {
            return Reassignment.callOff(now, brokers, unclean);
        }
        Targets.check(replicas, now, replicationFactorMayChange, image);
        return isAt(replicas, now) || Reassignment.isToward(replicas, now)
                ? now
                : Reassignment.toward(replicas, now, brokers, unclean);
    }

    private static Refused noPartition() {
        return new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The partition does not exist.");
    }

    private static boolean isAt(List<Integer> replicas, PartitionImage now) {
        return !now.isMoving() && now.replicas().equals(replicas);
    }

    private Outcome plan(Target target, boolean replicationFactorMayChange, Plan plan) {
        try {
            plan.add(target.topic(), planned(target, replicationFactorMayChange, plan));
            return new Outcome(target.topic(), target.partition(), Errors.NONE.code(), null);
        } catch (Refused refused) {
            return new Outcome(target.topic(), target.partition(), refused.error().code(), refused.getMessage());
        }
    }

    private void take(Draft draft, List<Move> moves) {
        var plan = new Plan(draft);
        var refused = moves.stream()
                .map(move -> plan(new Target(move.topic(), move.partition(), move.replicas()), true, plan))
                .filter(outcome -> outcome.errorCode() != Errors.NONE.code())
                .map(outcome -> outcome.topic() + "-" + outcome.partition() + " (" + outcome.message() + ")")
                .toList();
        if (!refused.isEmpty()) {
            draft.note(Level.WARN, "moves asked for by an old tool are dropped count=" + refused.size() + " "
                    + named(refused));
        }
        carryOut(draft, plan, draft.image());
    }

    private void carryOut(Draft draft, Plan plan, ClusterImage before) {
        for (var topic : plan.topics()) {
            var changed = plan.changed(topic);
            if (!changed.isEmpty()) {
                draft.placePartitions(topic, changed);
                draft.note(Level.INFO, "moving topic=" + topic.name() + " partitions=" + changed.size() + " " + named(
                        changed.stream().map(Moves::described).toList()));
            }
        }
        goOn(draft, before);
    }

    private void end(Draft draft, Collection<UUID> topics) {
        var live = draft.live();
        for (var id : topics) {
            draft.image().topic(id).ifPresent(topic -> {
                var arrived = topic.partitions()
                        .stream()
                        .filter(PartitionImage::isMoving)
                        .map(now -> Reassignment.next(now, live.of(id, now.partition())))
                        .filter(next -> !next.isMoving())
                        .toList();
                if (!arrived.isEmpty()) {
                    draft.placePartitions(topic, arrived);
                    draft.note(Level.INFO, "moved topic=" + topic.name() + " partitions=" + arrived.size() + " "
                            + named(arrived.stream().map(Moves::described).toList()));
                }
            });
        }
    }

    /// Leaves in the node what is still going on. Tools take the absence of a partition for the end of its move.
    private static void prune(Draft draft) {
        leave(draft, draft.state().askedMoves().moves().stream().filter(move -> draft.image().partition(move.topic(),
                move.partition()).filter(now -> Reassignment.isToward(move.replicas(), now)).isPresent()).toList());
    }

    private static void leave(Draft draft, List<Move> left) {
        var now = draft.state().askedMoves();
        boolean same = !left.isEmpty() && left.size() == now.moves().size();
        if (now.version() == StoreWrite.CREATE || same) {
            return;
        }
        draft.write(new StoreWrite.AskedMovesWrite(left, now.version()));
        draft.update(state -> state.with(left.isEmpty() ? AskedMoves.NONE : new AskedMoves(left, now.version() + 1)));
    }

    private static String described(PartitionImage partition) {
        return partition.partition() + ":" + partition.replicas() + (partition.isMoving()
                ? "+" + partition.adding() + "-" + partition.removing()
                : "");
    }

    private static String named(List<String> all) {
        return all.stream().limit(MOST_NAMED).collect(Collectors.joining(", ", "", all.size() > MOST_NAMED
                ? ", ..."
                : ""));
    }
}
