package io.millrace.admin.group;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Group;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// @param instanceId of a static member; null for any other
/// @param software what the client said that it is, such as `apache-kafka-java 4.4.0`; null where that is not known
/// @param assigned what it reads
/// @param subscription of a member of a group of the new protocol; null in a classic group
record KafkaConsumer(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        String consumerId,
        @Nullable String instanceId,
        String clientId,
        Related assignments,
        String host,
        @Nullable String software,
        List<Read> assigned,
        @Nullable Subscription subscription) {

    /// A partition that a member reads, or is to read.
    record Read(String topicName, int partitionId) {
        private static List<Read> all(List<TopicPartition> partitions) {
            return partitions.stream().map(partition -> new Read(partition.topic(), partition.partition())).toList();
        }
    }

    /// @param type of the protocol that the member speaks: `CLASSIC` members of a mixed group are on their way
    /// @param memberEpoch that it has reached; it is settled once that is the group's
    /// @param rackId where it runs; null where it did not say
    /// @param topicNames that it named
    /// @param topicRegex of the topics that it asked for so; null where it did not
    /// @param target what it is to read in the end
    record Subscription(Group.Type type, int memberEpoch, @Nullable String rackId, List<String> topicNames,
            @Nullable String topicRegex, List<Read> target) {

        private static @Nullable Subscription of(Group.@Nullable Subscription known) {
            return known == null
                    ? null
                    : new Subscription(known.type(), known.epoch(), known.rack(), known.topics(), known.pattern(),
                            Read.all(known.target()));
        }
    }

    static KafkaConsumer of(String clusterId, String groupId, Group.Member member, Links links) {
        var path = new Object[]{"consumer-groups", groupId, "consumers", member.id()};
        return new KafkaConsumer("KafkaConsumer",
                links.metadata(clusterId, new Object[]{"consumer-group", groupId, "consumer", member.id()}, path),
                clusterId, groupId, member.id(), member.instanceId(), member.clientId(),
                links.related(clusterId, "consumer-groups", groupId, "consumers", member.id(), "assignments"),
                member.host(), member.software(), Read.all(member.assigned()), Subscription.of(member
                        .subscription()));
    }
}
