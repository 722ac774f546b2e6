package io.millrace.admin.group;

import java.util.Locale;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;

/// @param isSimple whether offsets are committed without any member
/// @param partitionAssignor what the members voted for; empty while there is none
/// @param coordinator the node that owns the group
record KafkaConsumerGroup(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        boolean isSimple,
        String partitionAssignor,
        String state,
        String type,
        boolean isMixedConsumerGroup,
        Related coordinator,
        Related consumers,
        Related lagSummary) {

    static KafkaConsumerGroup of(String clusterId, DescribedGroup group, int coordinator, Links links) {
        var id = group.groupId();
        return new KafkaConsumerGroup("KafkaConsumerGroup",
                links.metadata(clusterId, new Object[]{"consumer-group", id}, "consumer-groups", id), clusterId, id,
                group.protocolType().isEmpty(), group.protocolData(), state(group.groupState()), "CLASSIC", false,
                links.related(clusterId, "coordinators", coordinator),
                links.related(clusterId, "consumer-groups", id, "consumers"),
                links.related(clusterId, "consumer-groups", id, "lag-summary"));
    }

    /// `PreparingRebalance` is `PREPARING_REBALANCE` here.
    static String state(String kafka) {
        return kafka.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }
}
