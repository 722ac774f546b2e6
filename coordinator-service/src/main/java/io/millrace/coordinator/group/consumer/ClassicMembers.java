package io.millrace.coordinator.group.consumer;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.millrace.coordinator.group.classic.Answers;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.MemberMetadata;
import io.millrace.coordinator.record.MemberMetadata.Classic;
import io.millrace.coordinator.record.MemberMetadata.ClassicProtocol;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Members that speak the classic protocol to a consumer group, while it changes from one to the other. A JoinGroup is a
/// complete report: it is answered at once, with the member's epoch as the generation and nobody as the leader; SyncGroup
/// fetches what the member may have; a heartbeat calls it to join again when there is something to do.
final class ClassicMembers {
    private static final String TYPE = "consumer";
    private static final int FIRST_THAT_LEARNS_ITS_ID = 4;

    private ClassicMembers() {}

    static Optional<Pending> join(ConsumerTurn turn, ConsumerEvent.ClassicJoin event) {
        var request = event.request();
        var group = turn.group();
        var instance = request.groupInstanceId();
        var subscription = supported(turn, request)
                ? ClassicForm.subscription(Bytes.of(request.protocols().iterator().next().metadata()), turn.context()
                        .topics())
                : Optional.<ClassicForm.Subscription>empty();
        if (subscription.isEmpty()) {
            return refuse(turn, event, Errors.INCONSISTENT_GROUP_PROTOCOL, request.memberId());
        }
        boolean unknown = request.memberId().isEmpty();
        var memberId = unknown ? event.client().clientId() + "-" + event.freshId() : request.memberId();
        if (unknown && instance == null && event.version() >= FIRST_THAT_LEARNS_ITS_ID) {
            return refuse(turn, event, Errors.MEMBER_ID_REQUIRED, memberId);
        }
        var known = instance == null
                ? Optional.ofNullable(group.members().get(memberId))
                : group.staticMember(instance);
        if (known.isPresent() && !unknown && !known.get().id().equals(memberId)) {
            return refuse(turn, event, Errors.FENCED_INSTANCE_ID, memberId);
        }
        if (known.isEmpty() && group.members().size() >= turn.rules().maxSize()) {
            return refuse(turn, event, Errors.GROUP_MAX_SIZE_REACHED, memberId);
        }
        accept(turn, event, known.orElse(null), memberId, subscription.get());
        return Optional.of(joined(event, memberId, subscription.get().owned()));
    }

    /// Whether a classic group could be made of all classic members and this one.
    private static boolean supported(ConsumerTurn turn, JoinGroupRequestData request) {
        return TYPE.equals(request.protocolType()) && request.protocols().stream()
                .anyMatch(offered -> turn.group().members().values().stream().filter(ConsumerMember::isClassic)
                        .filter(member -> !member.id().equals(request.memberId()))
                        .allMatch(member -> Conversion.supports(member, offered.name())));
    }

    private static void accept(ConsumerTurn turn, ConsumerEvent.ClassicJoin event, @Nullable ConsumerMember known,
            String memberId, ClassicForm.Subscription subscription) {
        var groupId = turn.group().groupId();
        var request = event.request();
        var protocols = request.protocols().stream()
                .map(protocol -> new ClassicProtocol(protocol.name(), Bytes.of(protocol.metadata()))).toList();
        var metadata = new MemberMetadata(request.groupInstanceId(), null, event.client().clientId(),
                event.client().host(), subscription.topics(), null, request.rebalanceTimeoutMs(), null,
                new Classic(request.sessionTimeoutMs(), protocols));
        if (known != null && !known.id().equals(memberId)) {
            var target = turn.group().target(known.id());
            turn.remove(known.id());
            turn.emit(new MemberPut(groupId, memberId, metadata));
            turn.emit(new TargetPut(groupId, memberId, target));
            turn.emit(new CurrentPut(groupId, memberId, new MemberAssignment(0, 0, State.STABLE, known.current().held(),
                    Partitions.NONE)));
        } else if (known == null || !metadata.equals(known.metadata())) {
            turn.emit(new MemberPut(groupId, memberId, metadata));
        }
        if (known == null) {
            turn.changed("classic member " + memberId + " joined");
        } else if (!metadata.subscribesAs(known.metadata())) {
            turn.changed("subscription of " + memberId + " changed");
        }
        turn.disarm(new ConsumerTimer.Rejoin(memberId));
        turn.keepAlive(member(turn, memberId));
        turn.arm(new ConsumerTimer.Sync(memberId), request.rebalanceTimeoutMs(),
                new ConsumerEvent.ClassicExpired(memberId, "no sync"));
    }

    private static Pending joined(ConsumerEvent.ClassicJoin event, String memberId, Partitions owned) {
        return turn -> {
            var member = turn.group().members().get(memberId);
            if (member == null) {
                turn.answer(event.ticket(), Answers.joinRefused(Errors.UNKNOWN_MEMBER_ID, memberId));
                return;
            }
            var next = turn.reconcile(member, owned);
            turn.answer(event.ticket(), new JoinGroupResponseData().setMemberId(memberId)
                    .setGenerationId(next.current().epoch()).setProtocolType(TYPE)
                    .setProtocolName(classic(next).protocols().getFirst().name()).setLeader("").setMembers(List.of()));
        };
    }

    static void sync(ConsumerTurn turn, ConsumerEvent.ClassicSync event) {
        var request = event.request();
        var group = turn.group();
        var refusal = identify(group, request.memberId(), request.groupInstanceId(), request.generationId());
        var member = group.members().get(request.memberId());
        if (refusal == Errors.NONE && member != null && member.current().epoch() < group.epoch()
                && member.current().state() != State.UNREVOKED) {
            refusal = Errors.REBALANCE_IN_PROGRESS;
            callBack(turn, member);
        }
        if (refusal != Errors.NONE || member == null) {
            turn.answer(event.ticket(), Answers.syncRefused(refusal));
            return;
        }
        var protocol = classic(member).protocols().getFirst();
        var topics = turn.context().topics();
        short version = ClassicForm.subscription(protocol.subscription(), topics).map(
                ClassicForm.Subscription::version).orElse((short) 0);
        turn.disarm(new ConsumerTimer.Sync(member.id()));
        turn.keepAlive(member);
        turn.answer(event.ticket(), new SyncGroupResponseData().setProtocolType(TYPE).setProtocolName(protocol.name())
                .setAssignment(ClassicForm.assignment(member.current().assigned(), version, topics).array()));
    }

    /// Answered once it is known whether something changed in this step.
    static Pending heartbeat(ConsumerEvent.ClassicHeartbeat event) {
        return turn -> {
            var request = event.request();
            var group = turn.group();
            var error = identify(group, request.memberId(), request.groupInstanceId(), request.generationId());
            var member = group.members().get(request.memberId());
            if (error == Errors.NONE && member != null) {
                turn.keepAlive(member);
                if (hasToJoin(turn, member)) {
                    error = Errors.REBALANCE_IN_PROGRESS;
                    callBack(turn, member);
                }
            }
            turn.answer(event.ticket(), new HeartbeatResponseData().setErrorCode(error.code()));
        };
    }

    private static boolean hasToJoin(ConsumerTurn turn, ConsumerMember member) {
        var current = member.current();
        if (current.epoch() < turn.group().epoch()) {
            return true;
        }
        return switch (current.state()) {
            case STABLE -> false;
            case UNREVOKED -> true;
            case UNRELEASED -> !turn.group().target(member.id()).minus(current.assigned())
                    .filter((topic, partition) -> !turn.isHeldByOther(member.id(), topic, partition)).isEmpty();
        };
    }

    private static void callBack(ConsumerTurn turn, ConsumerMember member) {
        turn.armUnlessRunning(new ConsumerTimer.Rejoin(member.id()), member.metadata().rebalanceTimeoutMillis(),
                new ConsumerEvent.ClassicExpired(member.id(), "did not join again"));
    }

    static void leave(ConsumerTurn turn, ConsumerEvent.ClassicLeave event) {
        var response = new LeaveGroupResponseData();
        for (var identity : event.request().members()) {
            response.members().add(new MemberResponse().setMemberId(identity.memberId())
                    .setGroupInstanceId(identity.groupInstanceId()).setErrorCode(leave(turn, identity).code()));
        }
        turn.answer(event.ticket(), response);
    }

    /// An operator removes a static member of either protocol by its instance id alone.
    private static Errors leave(ConsumerTurn turn, MemberIdentity identity) {
        var instance = identity.groupInstanceId();
        var member = instance == null
                ? Optional.ofNullable(turn.group().members().get(identity.memberId())).filter(ConsumerMember::isClassic)
                : turn.group().staticMember(instance);
        if (member.isEmpty()) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        if (!identity.memberId().isEmpty() && !identity.memberId().equals(member.get().id())) {
            return Errors.FENCED_INSTANCE_ID;
        }
        turn.remove(member.get().id());
        turn.changed("member " + member.get().id() + " left");
        return Errors.NONE;
    }

    static void expired(ConsumerTurn turn, String memberId, String why) {
        var member = turn.group().members().get(memberId);
        if (member != null && member.isClassic()) {
            turn.remove(memberId);
            turn.changed(why + ": " + memberId);
        }
    }

    private static Errors identify(ConsumerGroup group, String memberId, @Nullable String instance, int generation) {
        var member = instance == null
                ? Optional.ofNullable(group.members().get(memberId))
                : group.staticMember(instance);
        if (member.isEmpty() || !member.get().isClassic()) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        if (!member.get().id().equals(memberId)) {
            return Errors.FENCED_INSTANCE_ID;
        }
        return member.get().current().epoch() == generation ? Errors.NONE : Errors.ILLEGAL_GENERATION;
    }

    private static ConsumerMember member(ConsumerTurn turn, String memberId) {
        return Objects.requireNonNull(turn.group().members().get(memberId));
    }

    private static Classic classic(ConsumerMember member) {
        return Objects.requireNonNull(member.metadata().classic());
    }

    private static Optional<Pending> refuse(ConsumerTurn turn, ConsumerEvent.ClassicJoin event, Errors error,
            String memberId) {
        turn.answer(event.ticket(), Answers.joinRefused(error, memberId));
        return Optional.empty();
    }
}
