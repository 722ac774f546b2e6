package io.millrace.metadata.record;

import java.util.Map;
import java.util.UUID;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;

/// One change of the cluster. Each says what is so afterwards, so that replaying one twice changes nothing.
public sealed interface MetadataRecord {

    /// The cluster has this id.
    record ClusterIdentified(String clusterId) implements MetadataRecord {}

    /// This controller is active.
    ///
    /// @param epoch the value of `/controller_epoch` that it won
    record ControllerElected(int id, int epoch) implements MetadataRecord {}

    /// A node registered, or something about it changed.
    record NodePut(NodeImage node) implements MetadataRecord {}

    /// A node is registered no longer.
    record NodeRemoved(Role role, int id) implements MetadataRecord {}

    /// A topic exists. Its partitions follow as [PartitionPut]; those of a topic that was already there stay.
    record TopicPut(String name, UUID id) implements MetadataRecord {}

    /// A partition exists or changed. Those of a new topic come in the order of their numbers.
    record PartitionPut(UUID topicId, PartitionImage partition) implements MetadataRecord {}

    /// A topic exists no longer. Its configuration is removed by a record of its own.
    record TopicRemoved(UUID id) implements MetadataRecord {}

    /// All that is set for a resource.
    ///
    /// @param values empty: nothing any more
    record ConfigPut(ConfigResource resource, Map<String, String> values) implements MetadataRecord {
        public ConfigPut {
            values = Map.copyOf(values);
        }
    }

    /// A shard was given to a coordinator, or taken from it.
    record ShardPut(ShardKind kind, ShardImage shard) implements MetadataRecord {}
}
