package io.millrace.coordinator.record;

import java.util.List;

/// One change to a consumer group (KIP-848). A tombstone of each kind takes away what a record of that kind put.
public sealed interface ConsumerGroupRecord extends GroupRecord {

    /// The group's epoch: the subscriptions, the members or the topics changed.
    ///
    /// @param metadataHash of the subscribed topics, 0 where it is not known
    record EpochPut(String groupId, int epoch, long metadataHash) implements ConsumerGroupRecord {}

    /// The group is gone, or is a classic one again.
    record EpochRemoved(String groupId) implements ConsumerGroupRecord {}

    /// A member and its subscription.
    record MemberPut(String groupId, String memberId, MemberMetadata value) implements ConsumerGroupRecord {}

    record MemberRemoved(String groupId, String memberId) implements ConsumerGroupRecord {}

    /// The targets are those of that group epoch. Written behind all of them.
    record TargetEpochPut(String groupId, int epoch, long timestamp) implements ConsumerGroupRecord {}

    record TargetEpochRemoved(String groupId) implements ConsumerGroupRecord {}

    /// What a member is to have in the end.
    record TargetPut(String groupId, String memberId, Partitions value) implements ConsumerGroupRecord {}

    record TargetRemoved(String groupId, String memberId) implements ConsumerGroupRecord {}

    /// What a member has now.
    record CurrentPut(String groupId, String memberId, MemberAssignment value) implements ConsumerGroupRecord {}

    record CurrentRemoved(String groupId, String memberId) implements ConsumerGroupRecord {}

    /// The topics that a pattern stood for. Kept for Kafka's sake: here patterns are matched anew after a load.
    record PatternPut(String groupId, String pattern, List<String> topics, long version, long timestamp)
            implements
                ConsumerGroupRecord {
        public PatternPut {
            topics = List.copyOf(topics);
        }
    }

    record PatternRemoved(String groupId, String pattern) implements ConsumerGroupRecord {}
}
