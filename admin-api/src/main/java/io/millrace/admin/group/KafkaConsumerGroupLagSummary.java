package io.millrace.admin.group;

import java.util.Comparator;
import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import org.jspecify.annotations.Nullable;

/// The lag of a group as a whole. What has no known lag is left out of it.
///
/// @param maxLag of the partition that is furthest behind; the fields beside it name it, and are null where none is known
record KafkaConsumerGroupLagSummary(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        @Nullable String maxLagConsumerId,
        @Nullable String maxLagInstanceId,
        @Nullable String maxLagClientId,
        @Nullable String maxLagTopicName,
        @Nullable Integer maxLagPartitionId,
        long maxLag,
        long totalLag,
        @Nullable Related maxLagPartition) {

    static KafkaConsumerGroupLagSummary of(String clusterId, String group, List<KafkaConsumerLag> lags, Links links) {
        var metadata = links.metadata(clusterId, new Object[]{"consumer-group", group, "lag-summary", group},
                "consumer-groups", group, "lag-summary");
        long total = lags.stream().mapToLong(KafkaConsumerGroupLagSummary::known).sum();
        return lags.stream().filter(lag -> lag.lag() != null)
                .max(Comparator.comparingLong(KafkaConsumerGroupLagSummary::known))
                .map(most -> new KafkaConsumerGroupLagSummary("KafkaConsumerGroupLagSummary", metadata, clusterId,
                        group,
                        most.consumerId(), most.instanceId(), most.clientId(), most.topicName(), most.partitionId(),
                        known(most), total,
                        links.related(clusterId, "topics", most.topicName(), "partitions", most.partitionId())))
                .orElseGet(() -> new KafkaConsumerGroupLagSummary("KafkaConsumerGroupLagSummary", metadata, clusterId,
                        group,
                        null, null, null, null, null, 0, 0, null));
    }

    private static long known(KafkaConsumerLag lag) {
        return lag.lag() == null ? 0 : lag.lag();
    }
}
