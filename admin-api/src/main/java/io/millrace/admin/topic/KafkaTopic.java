package io.millrace.admin.topic;

import java.util.UUID;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.jspecify.annotations.Nullable;

/// @param topicId another one for each topic that ever had this name; null where only a dry run was asked for
/// @param underReplicated how many partitions have a replica that is not in sync
record KafkaTopic(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        boolean isInternal,
        int replicationFactor,
        int partitionsCount,
        Related partitions,
        Related configs,
        Related partitionReassignments,
        @Nullable String topicId,
        int underReplicated) {

    static KafkaTopic of(String clusterId, TopicImage topic, Links links) {
        int replicas = topic.partitions().stream().mapToInt(partition -> partition.replicas().size()).min().orElse(0);
        int lacking = (int) topic.partitions().stream()
                .filter(PartitionImage::underReplicated)
                .count();
        return of(clusterId, topic.name(), topic.id(), replicas, topic.partitions().size(), lacking, links);
    }

    static KafkaTopic planned(String clusterId, String name, int replicationFactor, int partitions, Links links) {
        return of(clusterId, name, null, replicationFactor, partitions, 0, links);
    }

    private static KafkaTopic of(String clusterId, String name, @Nullable UUID id, int replicas, int partitions,
            int underReplicated, Links links) {
        return new KafkaTopic("KafkaTopic",
                links.metadata(clusterId, new Object[]{"topic", name}, "topics", name), clusterId, name,
                TopicNames.isInternal(name), replicas, partitions,
                links.related(clusterId, "topics", name, "partitions"),
                links.related(clusterId, "topics", name, "configs"),
                links.related(clusterId, "topics", name, "partitions", "-", "reassignment"),
                id == null ? null : TopicNames.text(id), underReplicated);
    }
}
