package io.millrace.controller.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.millrace.controller.partition.IsrChange;
import io.millrace.controller.partition.Leadership;
import io.millrace.controller.partition.LiveReplicas;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What brokers tell of replicas: leaders who is in sync with them, anyone which of its own it lost.
final class ReplicaCommands {
    private final Settlement settlement;
    private final Moves moves;

    ReplicaCommands(Settlement settlement, Moves moves) {
        this.moves = moves;
        this.settlement = settlement;
    }

    /// Each proposal for itself; of several of one partition only the first is looked at.
    ///
    /// @throws io.millrace.metadata.command.CommandRefused where that life of the broker is not registered
    Answer<AlterPartition.Result> alter(Draft draft, AlterPartition command) {
        var before = draft.image();
        NodeCommands.broker(before, command.brokerId(), command.brokerEpoch());
        var live = draft.live();
        var seen = new HashSet<TopicIdPartition>();
        var outcomes = command.proposals()
                .stream()
                .map(proposal -> seen.add(new TopicIdPartition(proposal.topicId(), proposal.partition()))
                        ? alter(draft, before, command.brokerId(), proposal, live)
                        : Outcome.refused(proposal, Errors.OPERATION_NOT_ATTEMPTED.code()))
                .toList();
        moves.goOn(draft, before);
        return Answer.atOnce(draft.decision(), new AlterPartition.Result(outcomes));
    }

    private record TopicIdPartition(UUID topicId, int partition) {}

    private static Outcome alter(Draft draft, ClusterImage before, int leader, Proposal proposal, LiveReplicas live) {
        try {
            var topic = before.topic(proposal.topicId()).orElseThrow(() -> new Refused(Errors.UNKNOWN_TOPIC_ID,
                    "topicId=" + proposal.topicId()));
            var now = topic.partition(proposal.partition())
                    .filter(partition -> !Leadership.isWaiting(partition))
                    .orElseThrow(() -> new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "topic=" + topic.name()
                            + " partition=" + proposal.partition()));
            var next = IsrChange.of(now, leader, proposal, live);
            if (!next.equals(now)) {
                draft.putPartition(topic.name(), topic.id(), next);
            }
            return new Outcome(topic.id(), next.partition(), Errors.NONE.code(), next.leader(), next.leaderEpoch(), next
                    .partitionEpoch(), next.isr());
        } catch (Refused refused) {
            return Outcome.refused(proposal, refused.error().code());
        }
    }

    /// Their leaders move at once. Told by the broker whenever it speaks to a controller for the first time, since nobody
    /// writes it down.
    ///
    /// @throws io.millrace.metadata.command.CommandRefused where that life of the broker is not registered
    Answer<ReplicasOffline.Result> offline(Draft draft, ReplicasOffline command) {
        var before = draft.image();
        var broker = NodeCommands.broker(before, command.brokerId(), command.brokerEpoch());
        var failed = new HashMap<>(broker.failedReplicas());
        command.topics()
                .stream()
                .filter(topic -> before.topic(topic.topicId()).isPresent())
                .forEach(topic -> failed.merge(topic.topicId(), Set.copyOf(topic.partitions()),
                        ReplicaCommands::union));
        NodeDecisions.change(draft, new NodeKey(Role.BROKER, broker.id()), broker.epoch(), node -> node.withFailed(
                failed));
        settlement.settle(draft, before);
        return Answer.atOnce(draft.decision(), new ReplicasOffline.Result());
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
    }
}
