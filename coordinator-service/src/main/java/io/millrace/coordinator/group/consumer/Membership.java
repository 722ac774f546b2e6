package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.MemberMetadata;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Who is in the group, and for what: the first part of a heartbeat.
final class Membership {
    private Membership() {}

    /// @return what is left to do once the targets are known; empty where the answer is given
    static Optional<Report> heartbeat(ConsumerTurn turn, ConsumerEvent.Heartbeat event) {
        var request = event.request();
        if (turn.group().dead()) {
            return refuse(turn, event, Errors.COORDINATOR_NOT_AVAILABLE, "the group is being deleted");
        }
        if (HeartbeatChecks.isLeave(request)) {
            leave(turn, event);
            return Optional.empty();
        }
        var memberId = request.memberId().isEmpty() ? event.freshId() : request.memberId();
        var known = identify(turn.group(), memberId, request);
        var refusal = HeartbeatChecks.isJoin(request)
                ? refusalOfJoin(turn, known, memberId)
                : refusal(known, memberId, request);
        if (refusal.isEmpty()) {
            refusal = refusalOfPattern(request);
        }
        if (refusal.isPresent()) {
            turn.answer(event.ticket(), refusal.get());
            return Optional.empty();
        }
        return Optional.of(accept(turn, event, known.orElse(null), memberId));
    }

    /// The member that a request means: a static one by its instance.
    private static Optional<ConsumerMember> identify(ConsumerGroup group, String memberId,
            ConsumerGroupHeartbeatRequestData request) {
        return request.instanceId() == null
                ? Optional.ofNullable(group.members().get(memberId))
                : group.staticMember(request.instanceId());
    }

    private static Optional<ConsumerGroupHeartbeatResponseData> refusalOfJoin(ConsumerTurn turn,
            Optional<ConsumerMember> known, String memberId) {
        if (known.isEmpty()) {
            return turn.group().members().size() < turn.rules().maxSize()
                    ? Optional.empty()
                    : Optional.of(HeartbeatChecks.refused(Errors.GROUP_MAX_SIZE_REACHED,
                            "The consumer group has reached its maximum capacity of " + turn.rules().maxSize()
                                    + " members."));
        }
        return known.get().id().equals(memberId) || known.get().isAway()
                ? Optional.empty()
                : Optional.of(HeartbeatChecks.refused(Errors.UNRELEASED_INSTANCE_ID,
                        "Static member " + memberId + " with instance id " + known.get().metadata().instanceId()
                                + " cannot join the group because the instance id is owned by " + known.get().id()
                                + " member."));
    }

    private static Optional<ConsumerGroupHeartbeatResponseData> refusal(Optional<ConsumerMember> known,
            String memberId, ConsumerGroupHeartbeatRequestData request) {
        if (known.isEmpty()) {
            return Optional.of(HeartbeatChecks.refused(Errors.UNKNOWN_MEMBER_ID, "Member " + memberId
                    + " is not a member of group " + request.groupId() + "."));
        }
        if (!known.get().id().equals(memberId)) {
            return Optional.of(HeartbeatChecks.refused(Errors.FENCED_INSTANCE_ID, "Static member " + memberId
                    + " was fenced by member " + known.get().id() + "."));
        }
        var current = known.get().current();
        boolean answerWasLost = request.memberEpoch() == current.previousEpoch()
                && request.topicPartitions() != null
                && owned(request.topicPartitions()).minus(current.assigned()).isEmpty();
        return request.memberEpoch() == current.epoch() || (request.memberEpoch() < current.epoch() && answerWasLost)
                ? Optional.empty()
                : Optional.of(HeartbeatChecks.refused(Errors.FENCED_MEMBER_EPOCH, "The consumer group member has epoch "
                        + request.memberEpoch() + ", the group coordinator has " + current.epoch()
                        + ". The member must abandon all its partitions and rejoin."));
    }

    private static Optional<ConsumerGroupHeartbeatResponseData> refusalOfPattern(
            ConsumerGroupHeartbeatRequestData request) {
        var pattern = request.subscribedTopicRegex();
        return pattern == null || pattern.isEmpty()
                ? Optional.empty()
                : TopicDirectory.problem(pattern).map(problem -> HeartbeatChecks.refused(
                        Errors.INVALID_REGULAR_EXPRESSION, "SubscribedTopicRegex `" + pattern
                                + "` is not a valid regular expression: " + problem + "."));
    }

    private static Report accept(ConsumerTurn turn, ConsumerEvent.Heartbeat event, @Nullable ConsumerMember known,
            String memberId) {
        var group = turn.group();
        var before = known == null ? ConsumerMember.of(memberId) : known;
        var metadata = said(before.metadata(), event);
        if (known != null && !known.id().equals(memberId)) {
            replace(turn, known, memberId, metadata);
        } else if (!metadata.equals(before.metadata())) {
            turn.emit(new MemberPut(group.groupId(), memberId, metadata));
        }
        if (known != null && known.isAway()) {
            // It begins with nothing; what it left stays its own, so that it gets it back at once.
            turn.emit(new CurrentPut(group.groupId(), memberId, new MemberAssignment(0, 0, State.STABLE,
                    known.current().assigned(), Partitions.NONE)));
        }
        if (known == null) {
            turn.changed("member " + memberId + " joined");
        } else if (!metadata.subscribesAs(before.metadata())) {
            turn.changed("subscription of " + memberId + " changed");
        }
        var member = turn.group().members().get(memberId);
        turn.keepAlive(member == null ? before : member);
        return new Report(event, memberId, member == null ? before.current() : member.current());
    }

    /// A static member comes back as another process.
    private static void replace(ConsumerTurn turn, ConsumerMember former, String memberId, MemberMetadata metadata) {
        var groupId = turn.group().groupId();
        var target = turn.group().target(former.id());
        turn.remove(former.id());
        turn.emit(new MemberPut(groupId, memberId, metadata));
        turn.emit(new TargetPut(groupId, memberId, target));
    }

    /// What a member said now, and before where it said nothing of it.
    private static MemberMetadata said(MemberMetadata before, ConsumerEvent.Heartbeat event) {
        var request = event.request();
        List<String> topics = request.subscribedTopicNames();
        return new MemberMetadata(orElse(request.instanceId(), before.instanceId()),
                orElse(request.rackId(), before.rackId()), event.client().clientId(), event.client().host(),
                topics == null ? before.topics() : topics,
                orElse(request.subscribedTopicRegex(), before.pattern()),
                request.rebalanceTimeoutMs() < 0 ? before.rebalanceTimeoutMillis() : request.rebalanceTimeoutMs(),
                orElse(request.serverAssignor(), before.serverAssignor()), null);
    }

    private static @Nullable String orElse(@Nullable String now, @Nullable String before) {
        return now == null ? before : now;
    }

    private static void leave(ConsumerTurn turn, ConsumerEvent.Heartbeat event) {
        var request = event.request();
        var known = identify(turn.group(), request.memberId(), request);
        if (known.isEmpty() || !known.get().id().equals(request.memberId())) {
            turn.answer(event.ticket(), known.isEmpty()
                    ? HeartbeatChecks.refused(Errors.UNKNOWN_MEMBER_ID, "Member " + request.memberId()
                            + " is not a member of group " + request.groupId() + ".")
                    : HeartbeatChecks.refused(Errors.FENCED_INSTANCE_ID, "Static member " + request.memberId()
                            + " was fenced by member " + known.get().id() + "."));
            return;
        }
        var member = known.get();
        if (request.memberEpoch() == MemberAssignment.LEFT) {
            var current = member.current();
            turn.emit(new CurrentPut(request.groupId(), member.id(), new MemberAssignment(MemberAssignment.LEFT,
                    current.epoch(), State.STABLE, current.held(), Partitions.NONE)));
            turn.disarm(new ConsumerTimer.Revocation(member.id()));
        } else {
            turn.remove(member.id());
            turn.changed("member " + member.id() + " left");
        }
        turn.answer(event.ticket(), new ConsumerGroupHeartbeatResponseData().setMemberId(member.id())
                .setMemberEpoch(request.memberEpoch()));
    }

    private static Optional<Report> refuse(ConsumerTurn turn, ConsumerEvent.Heartbeat event, Errors error,
            String message) {
        turn.answer(event.ticket(), HeartbeatChecks.refused(error, message));
        return Optional.empty();
    }

    static Partitions owned(List<TopicPartitions> topics) {
        return Partitions.of(topics.stream().collect(Collectors.toMap(TopicPartitions::topicId,
                TopicPartitions::partitions, (one, other) -> {
                    var both = new ArrayList<>(one);
                    both.addAll(other);
                    return both;
                })));
    }
}
