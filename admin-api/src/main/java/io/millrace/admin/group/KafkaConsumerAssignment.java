package io.millrace.admin.group;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.TopicPartition;

record KafkaConsumerAssignment(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        String consumerId,
        String topicName,
        int partitionId,
        Related partition,
        Related lag) {

    static KafkaConsumerAssignment of(String clusterId, String group, String member, TopicPartition assigned,
            Links links) {
        var names = new Object[]{"consumer-group", group, "consumer", member, "assignment", assigned.topic(),
                "partition",
                assigned.partition()};
        return new KafkaConsumerAssignment("KafkaConsumerAssignment",
                links.metadata(clusterId, names, "consumer-groups", group, "consumers", member, "assignments",
                        assigned.topic(), "partitions", assigned.partition()),
                clusterId, group, member, assigned.topic(), assigned.partition(),
                links.related(clusterId, "topics", assigned.topic(), "partitions", assigned.partition()),
                links.related(clusterId, "consumer-groups", group, "lags", assigned.topic(), "partitions",
                        assigned.partition()));
    }
}
