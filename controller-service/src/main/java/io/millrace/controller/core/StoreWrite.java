package io.millrace.controller.core;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;

/// One durable change. Their order is part of a decision: each is in ZooKeeper before the one after it, and a crash
/// between two of them leaves what the next controller can finish.
public sealed interface StoreWrite {
    /// In place of a version: there is no such node yet.
    int CREATE = -1;

    /// A topic's node.
    ///
    /// @param version that it has before, or [#CREATE]
    record TopicWrite(String topic, TopicNode node, int version) implements StoreWrite {}

    /// A partition's `state` node; created where its partition epoch is 0, else one version after the one it has.
    record StateWrite(String topic, PartitionImage partition) implements StoreWrite {}

    /// A second copy of a topic's id where no old tool drops it. Written whatever is there.
    record TopicIdCopy(String topic, UUID id) implements StoreWrite {}

    /// The second copy of the id of a topic that is gone goes, lest another topic of that name is taken for it.
    record TopicIdForgotten(String topic) implements StoreWrite {}

    /// All overrides of a resource.
    ///
    /// @param version that the node has before, or [#CREATE]
    /// @param announced whether to leave a notification of the change, as Kafka's tools do
    record ConfigWrite(ConfigResource resource, Map<String, String> values, int version, boolean announced)
            implements
                StoreWrite {}

    /// A topic with its states, its configuration and the mark that asked for it, whatever there is of them.
    record TopicDeletion(String topic) implements StoreWrite {}

    /// The mark that asked for a deletion, and nothing else.
    record DeletionRefused(String topic) implements StoreWrite {}

    /// Who owns the shards of that kind.
    ///
    /// @param version that the node has before, or [#CREATE]
    record ShardsWrite(ShardKind kind, List<ShardImage> shards, int version) implements StoreWrite {}

    /// A block of producer ids given away.
    ///
    /// @param version that the node has before
    record ProducerIdsWrite(int node, long first, long last, int version) implements StoreWrite {}

    /// What is left of the moves that an old tool asked for; nothing takes the node away.
    ///
    /// @param version that the node has before
    record AskedMovesWrite(List<Move> moves, int version) implements StoreWrite {}

    /// The election that an old tool asked for is over: its node goes.
    ///
    /// @param version that the node has before
    record ElectionDone(int version) implements StoreWrite {}

    /// Where to look where it met something that was not as the decision took it to be.
    default Set<Hint> touches() {
        return switch (this) {
            case TopicWrite write -> Set.of(new Hint.States(write.topic()));
            case StateWrite write -> Set.of(new Hint.States(write.topic()));
            case TopicIdCopy copy -> Set.of(new Hint.States(copy.topic()));
            case TopicIdForgotten(String topic) -> Set.of(new Hint.States(topic));
            case ConfigWrite write -> Set.of(new Hint.Config(write.resource()));
            case TopicDeletion(String topic) ->
                Set.of(new Hint.States(topic), new Hint.Config(ConfigResource.topic(topic)), new Hint.Deletions());
            case DeletionRefused _ -> Set.of(new Hint.Deletions());
            case ShardsWrite write -> Set.of(new Hint.Shards(write.kind()));
            case AskedMovesWrite _ -> Set.of(new Hint.AskedMoves());
            case ElectionDone _ -> Set.of(new Hint.AskedElection());
            case ProducerIdsWrite _ -> Set.of(new Hint.ProducerIds());
        };
    }
}
