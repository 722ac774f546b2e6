package io.millrace.controller.core;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.znode.TopicNode;
import org.jspecify.annotations.Nullable;

/// What was read from ZooKeeper: all of it, or the parts that hints pointed at.
///
/// @param nodes all registrations that can be read; null where nobody looked. Their states mean nothing
/// @param topics by name, those looked at
/// @param configs by resource, those looked at
/// @param deletions topics that are asked to be deleted
/// @param whole what is read only when everything is; a topic or resource that is not in `topics` or `configs` then does
///        not exist. Null where only parts were read
public record Observation(@Nullable List<NodeImage> nodes, Map<String, TopicSeen> topics,
        Map<ConfigResource, ConfigSeen> configs, Set<String> deletions, @Nullable Whole whole) {
    public Observation {
        topics = Map.copyOf(topics);
        configs = Map.copyOf(configs);
        deletions = Set.copyOf(deletions);
    }

    /// @param orphanedIds topics that are gone but for the second copy of their id
    /// @param shards owners of the shards, none where no node says so
    /// @param shardsVersion zkVersion of that node, or [StoreWrite#CREATE]
    public record Whole(String clusterId, Set<String> orphanedIds, List<ShardImage> shards, int shardsVersion,
            ProducerIds producerIds) {}

    /// A topic's node.
    public sealed interface TopicSeen {

        /// @param states of its partitions, those that have one; null where nobody looked
        /// @param copiedId the copy of its id that no old tool knows of; null where there is none or nobody looked
        record Present(TopicNode node, int version, @Nullable Map<Integer, PartitionSeen> states,
                @Nullable UUID copiedId)
                implements
                    TopicSeen {}

        /// There is none.
        record Absent() implements TopicSeen {}

        /// There is one, and it makes no sense: what is known of the topic stays as it is.
        ///
        /// @param copiedId as in [Present]
        record Unreadable(@Nullable UUID copiedId) implements TopicSeen {}
    }

    /// A partition's `state` node.
    public record PartitionSeen(int leader, int leaderEpoch, List<Integer> isr, int version) {}

    /// A configuration node.
    public sealed interface ConfigSeen {

        record Present(Map<String, String> values, int version) implements ConfigSeen {}

        /// There is none.
        record Absent() implements ConfigSeen {}

        /// There is one, and it makes no sense: what is known stays as it is.
        record Unreadable(int version) implements ConfigSeen {}
    }
}
