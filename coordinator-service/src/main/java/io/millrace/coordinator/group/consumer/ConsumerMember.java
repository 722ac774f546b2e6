package io.millrace.coordinator.group.consumer;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberMetadata;
import org.apache.kafka.common.Uuid;

/// A member of a consumer group.
///
/// @param current what it has, and how far it is on its way to its target
public record ConsumerMember(String id, MemberMetadata metadata, MemberAssignment current) {
    /// What is known of a member that is not known.
    private static final MemberMetadata UNKNOWN = new MemberMetadata(null, null, "", "", List.of(), null, -1, null,
            null);

    static ConsumerMember of(String id) {
        return new ConsumerMember(id, UNKNOWN, MemberAssignment.NONE);
    }

    ConsumerMember with(MemberMetadata next) {
        return new ConsumerMember(id, next, current);
    }

    ConsumerMember with(MemberAssignment next) {
        return new ConsumerMember(id, metadata, next);
    }

    /// A static member that left for a while.
    boolean isAway() {
        return current.epoch() == MemberAssignment.LEFT;
    }

    boolean isClassic() {
        return metadata.classic() != null;
    }

    /// Names of all topics it reads, whether they are there or not.
    Set<String> topicNames(TopicDirectory topics) {
        var names = new TreeSet<>(metadata.topics());
        var pattern = metadata.pattern();
        if (pattern != null && !pattern.isEmpty()) {
            names.addAll(topics.matching(pattern));
        }
        return names;
    }

    /// Ids of the topics it reads and that are there.
    Set<Uuid> topicIds(TopicDirectory topics) {
        var ids = new TreeSet<Uuid>();
        topicNames(topics).forEach(name -> topics.named(name).map(TopicDirectory::id).ifPresent(ids::add));
        return ids;
    }

    /// The order in which it counts for an assignor.
    String rank() {
        var instance = metadata.instanceId();
        return instance == null ? id : instance;
    }
}
