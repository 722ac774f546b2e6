package io.millrace.admin.leader;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import org.jspecify.annotations.Nullable;

/// What became of an election.
///
/// @param leaderBefore null where there was none
/// @param leaderAfter null where there is none
/// @param error Kafka's name of what kept it from being held; null where it was held
record KafkaLeaderElection(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        @Nullable Integer leaderBefore,
        @Nullable Integer leaderAfter,
        @Nullable String error,
        @Nullable String message) {

    static KafkaLeaderElection of(String clusterId, String topic, int partition, @Nullable Integer before,
            @Nullable Integer after, @Nullable String error, @Nullable String message, Links links) {
        return new KafkaLeaderElection("KafkaLeaderElection", links.metadata(clusterId, new Object[]{"topic", topic,
                "partition", partition}, "topics", topic, "partitions", partition), clusterId, topic, partition, before,
                after, error, message);
    }
}
