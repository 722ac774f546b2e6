package io.millrace.admin.group;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.jspecify.annotations.Nullable;

/// @param instanceId of a static member; null for any other
record KafkaConsumer(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        String consumerId,
        @Nullable String instanceId,
        String clientId,
        Related assignments,
        String host) {

    static KafkaConsumer of(String clusterId, String groupId, DescribedGroupMember member, Links links) {
        var path = new Object[]{"consumer-groups", groupId, "consumers", member.memberId()};
        return new KafkaConsumer("KafkaConsumer",
                links.metadata(clusterId, new Object[]{"consumer-group", groupId, "consumer", member.memberId()}, path),
                clusterId, groupId, member.memberId(), member.groupInstanceId(), member.clientId(),
                links.related(clusterId, "consumer-groups", groupId, "consumers", member.memberId(), "assignments"),
                member.clientHost());
    }
}
