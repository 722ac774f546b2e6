package io.millrace.coordinator.group.consumer;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.record.ConsumerGroupRecord;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPMap;
import org.pcollections.PMap;

/// A consumer group at one moment: what its records say. Immutable.
///
/// @param epoch 0 before the first
/// @param metadataHash of the topics that it reads; 0 where it is not known
/// @param targetEpoch the group's epoch for which the targets were made
/// @param members by their ids, in the order they came
/// @param targets what members are to have in the end, by their ids
/// @param topicsVersion of the [TopicDirectory] that was looked at last; -1 before the first
/// @param dead while it is being deleted, when nobody may use it
public record ConsumerGroup(String groupId, int epoch, long metadataHash, int targetEpoch,
        PMap<String, ConsumerMember> members, PMap<String, Partitions> targets, long topicsVersion, boolean dead) {

    /// What a group is before anything happened to it.
    public static ConsumerGroup empty(String groupId) {
        return new ConsumerGroup(groupId, 0, 0, 0, OrderedPMap.empty(), HashTreePMap.empty(), -1, false);
    }

    /// The state's name.
    public GroupState state() {
        if (dead) {
            return GroupState.DEAD;
        }
        if (members.isEmpty()) {
            return GroupState.EMPTY;
        }
        if (epoch > targetEpoch) {
            return GroupState.ASSIGNING;
        }
        return members.values().stream().allMatch(this::isReconciled) ? GroupState.STABLE : GroupState.RECONCILING;
    }

    private boolean isReconciled(ConsumerMember member) {
        return member.current().state() == State.STABLE && member.current().epoch() == targetEpoch;
    }

    /// What takes the group out of the log, once it is empty.
    public List<GroupRecord> removal() {
        return List.of(new TargetEpochRemoved(groupId), new EpochRemoved(groupId));
    }

    /// While it is being deleted, or no longer.
    public ConsumerGroup dead(boolean nextDead) {
        return new ConsumerGroup(groupId, epoch, metadataHash, targetEpoch, members, targets, topicsVersion, nextDead);
    }

    /// The names that members gave, and what their patterns stand for.
    public Set<String> subscribedTopics(TopicDirectory topics) {
        var names = new HashSet<String>();
        members.values().forEach(member -> names.addAll(member.topicNames(topics)));
        return names;
    }

    /// Whether a member, or nobody in particular, may commit.
    ///
    /// @param memberEpoch negative where the client is no member
    public Errors commitAllowed(String memberId, @Nullable String instanceId, int memberEpoch) {
        if (dead) {
            return Errors.COORDINATOR_NOT_AVAILABLE;
        }
        if (memberEpoch < 0 && members.isEmpty()) {
            return Errors.NONE;
        }
        return epochAllowed(memberId, memberEpoch);
    }

    /// Whether a member, or nobody in particular, may fetch offsets.
    public Errors fetchAllowed(@Nullable String memberId, int memberEpoch) {
        return (memberId == null || memberId.isEmpty()) && memberEpoch < 0
                ? Errors.NONE
                : epochAllowed(memberId == null ? "" : memberId, memberEpoch);
    }

    private Errors epochAllowed(String memberId, int memberEpoch) {
        var member = members.get(memberId);
        if (member == null) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        if (member.current().epoch() == memberEpoch) {
            return Errors.NONE;
        }
        return member.isClassic() ? Errors.ILLEGAL_GENERATION : Errors.STALE_MEMBER_EPOCH;
    }

    Optional<ConsumerMember> staticMember(String instanceId) {
        return members.values().stream().filter(member -> instanceId.equals(member.metadata().instanceId()))
                .findFirst();
    }

    Partitions target(String memberId) {
        return targets.getOrDefault(memberId, Partitions.NONE);
    }

    ConsumerGroup lookedAt(long version) {
        return new ConsumerGroup(groupId, epoch, metadataHash, targetEpoch, members, targets, version, dead);
    }

    /// The group that a record makes of this one. In a log that was compacted, records of a member come in any order.
    public ConsumerGroup replay(ConsumerGroupRecord record) {
        return switch (record) {
            case EpochPut(_, var next, var hash) ->
                new ConsumerGroup(groupId, next, hash, targetEpoch, members, targets, topicsVersion, dead);
            case EpochRemoved(_) -> empty(groupId);
            case TargetEpochPut(_, var next, _) ->
                new ConsumerGroup(groupId, epoch, metadataHash, next, members, targets, topicsVersion, dead);
            case TargetEpochRemoved(_) ->
                new ConsumerGroup(groupId, epoch, metadataHash, 0, members, targets, topicsVersion, dead);
            case MemberPut(_, var member, var value) -> with(known(member).with(value));
            case MemberRemoved(_, var member) -> withMembers(members.minus(member));
            case CurrentPut(_, var member, var value) -> with(known(member).with(value));
            case CurrentRemoved(_, var member) -> members.containsKey(member)
                    ? with(known(member).with(MemberAssignment.NONE))
                    : this;
            case TargetPut(_, var member, var value) -> withTargets(targets.plus(member, value));
            case TargetRemoved(_, var member) -> withTargets(targets.minus(member));
            case PatternPut _,PatternRemoved _ -> this;
        };
    }

    private ConsumerMember known(String memberId) {
        var member = members.get(memberId);
        return member == null ? ConsumerMember.of(memberId) : member;
    }

    private ConsumerGroup with(ConsumerMember member) {
        return withMembers(members.plus(member.id(), member));
    }

    private ConsumerGroup withMembers(PMap<String, ConsumerMember> next) {
        return new ConsumerGroup(groupId, epoch, metadataHash, targetEpoch, next, targets, topicsVersion, dead);
    }

    private ConsumerGroup withTargets(PMap<String, Partitions> next) {
        return new ConsumerGroup(groupId, epoch, metadataHash, targetEpoch, members, next, topicsVersion, dead);
    }
}
