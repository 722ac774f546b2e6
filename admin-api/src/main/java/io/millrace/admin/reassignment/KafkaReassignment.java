package io.millrace.admin.reassignment;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.PartitionImage;

/// A partition on its way to other brokers.
///
/// @param targetReplicas where it goes, the preferred leader first
/// @param state `PLANNED`; `COPYING` while a replica of the target is not in sync, then `SWITCHING`
record KafkaReassignment(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        List<Integer> addingReplicas,
        List<Integer> removingReplicas,
        List<Integer> targetReplicas,
        String state,
        Related replicas) {

    static KafkaReassignment of(String clusterId, String topic, PartitionImage partition, Links links) {
        var target = partition.replicas().stream().filter(id -> !partition.removing().contains(id)).toList();
        return of(clusterId, topic, partition.partition(), partition.adding(), partition.removing(), target,
                partition.isr().containsAll(target) ? "SWITCHING" : "COPYING", links);
    }

    /// One that would begin with that target.
    static KafkaReassignment planned(String clusterId, String topic, PartitionImage now, List<Integer> target,
            Links links) {
        var origin = now.replicas().stream().filter(id -> !now.adding().contains(id)).toList();
        var adding = target.stream().filter(id -> !origin.contains(id)).toList();
        var removing = origin.stream().filter(id -> !target.contains(id)).toList();
        return of(clusterId, topic, now.partition(), adding, removing, target, "PLANNED", links);
    }

    private static KafkaReassignment of(String clusterId, String topic, int partition, List<Integer> adding,
            List<Integer> removing, List<Integer> target, String state, Links links) {
        return new KafkaReassignment("KafkaReassignment",
                links.metadata(clusterId, new Object[]{"topic", topic, "partition", partition, "reassignment"},
                        "topics", topic, "partitions", partition, "reassignment"),
                clusterId, topic, partition, adding, removing, target, state,
                links.related(clusterId, "topics", topic, "partitions", partition, "replicas"));
    }
}
