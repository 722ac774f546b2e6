package io.millrace.broker.partition;

import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;

/// Registries of single partitions.
public final class Registries {
    private Registries() {}

    /// One in which `partitions`, of one topic, are found.
    public static PartitionRegistry of(Supplier<ClusterImage> images, Partition... partitions) {
        var registry = new PartitionRegistry(images);
        for (var partition : partitions) {
            var known = registry.topic(partition.topicId());
            registry.put(known == null
                    ? new LocalTopic(partition.id().topic(), partition.topicId(), partition.meters())
                    : known, partition);
        }
        return registry;
    }
}
