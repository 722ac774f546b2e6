package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;

import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A heartbeat of a member that is in the group, still to be answered.
///
/// @param before what the member had when it came
record Report(ConsumerEvent.Heartbeat event, String memberId, MemberAssignment before) implements Pending {

    @Override
    public void answer(ConsumerTurn turn) {
        var member = turn.group().members().get(memberId);
        if (member == null) {
            turn.answer(event.ticket(), HeartbeatChecks.refused(Errors.UNKNOWN_MEMBER_ID, "Member " + memberId
                    + " is no longer a member of group " + turn.group().groupId() + "."));
            return;
        }
        var next = turn.reconcile(member, owned(member)).current();
        var answer = new ConsumerGroupHeartbeatResponseData().setMemberId(memberId).setMemberEpoch(next.epoch())
                .setHeartbeatIntervalMs(turn.context().terms().heartbeatIntervalMillis());
        if (isComplete() || event.request().memberEpoch() != before.epoch()
                || !next.assigned().equals(before.assigned())) {
            answer.setAssignment(assignment(next.assigned()));
        }
        turn.answer(event.ticket(), answer);
    }

    /// A member that begins anew says that it has nothing. That is no word of what it was told to give up: it may be the
    /// repetition of an old request, while the member goes on.
    private @Nullable Partitions owned(ConsumerMember member) {
        var topics = event.request().topicPartitions();
        boolean doubtful = HeartbeatChecks.isJoin(event.request()) && member.current().state() == State.UNREVOKED;
        return topics == null || doubtful ? null : Membership.owned(topics);
    }

    /// A request that says everything, and so asks for everything.
    private boolean isComplete() {
        var request = event.request();
        return HeartbeatChecks.isJoin(request)
                || ((request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null)
                        && request.rebalanceTimeoutMs() >= 0 && request.topicPartitions() != null);
    }

    static Assignment assignment(Partitions partitions) {
        var topics = new ArrayList<TopicPartitions>();
        partitions.byTopic().forEach((topic, numbers) -> topics.add(new TopicPartitions().setTopicId(topic)
                .setPartitions(new ArrayList<>(numbers))));
        return new Assignment().setTopicPartitions(topics);
    }
}
