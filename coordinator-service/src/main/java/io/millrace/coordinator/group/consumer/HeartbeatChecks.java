package io.millrace.coordinator.group.consumer;

import java.util.Optional;

import io.millrace.coordinator.record.MemberAssignment;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;

/// What a ConsumerGroupHeartbeat must be like, whatever group it is for.
public final class HeartbeatChecks {
    private static final int FIRST_WITH_OWN_ID = 1;
    private static final int UNCHANGED = -1;
    private static final int MOST_NAMES = 100_000;

    private HeartbeatChecks() {}

    /// A request that asks to join, or to go on after it was fenced.
    public static boolean isJoin(ConsumerGroupHeartbeatRequestData request) {
        return request.memberEpoch() == ConsumerGroupHeartbeatRequest.JOIN_GROUP_MEMBER_EPOCH;
    }

    static boolean isLeave(ConsumerGroupHeartbeatRequestData request) {
        return request.memberEpoch() < 0;
    }

    /// The answer to a request that cannot be right; empty where nothing is wrong with it.
    ///
    /// @param rules tell which assignors there are
    public static Optional<ConsumerGroupHeartbeatResponseData> refusal(ConsumerGroupHeartbeatRequestData request,
            int version, ConsumerRules rules) {
        var assignor = request.serverAssignor();
        if (assignor != null && !rules.offers(assignor)) {
            return Optional.of(refused(Errors.UNSUPPORTED_ASSIGNOR, "ServerAssignor " + assignor
                    + " is not supported."));
        }
        return problem(request, version).map(problem -> refused(Errors.INVALID_REQUEST, problem));
    }

    static ConsumerGroupHeartbeatResponseData refused(Errors error, String message) {
        return new ConsumerGroupHeartbeatResponseData().setErrorCode(error.code()).setErrorMessage(message);
    }

    private static Optional<String> problem(ConsumerGroupHeartbeatRequestData request, int version) {
        if (request.groupId().isBlank()) {
            return Optional.of("GroupId can't be empty.");
        }
        if (request.instanceId() != null && request.instanceId().isBlank()) {
            return Optional.of("InstanceId can't be empty.");
        }
        if (request.rackId() != null && request.rackId().isBlank()) {
            return Optional.of("RackId can't be empty.");
        }
        if (request.memberId().isEmpty() && (version >= FIRST_WITH_OWN_ID || !isJoin(request))) {
            return Optional.of("MemberId can't be empty.");
        }
        if (request.memberEpoch() < MemberAssignment.LEFT) {
            return Optional.of("MemberEpoch is invalid.");
        }
        if (request.memberEpoch() == MemberAssignment.LEFT && request.instanceId() == null) {
            return Optional.of("InstanceId can't be null.");
        }
        if (request.subscribedTopicNames() != null && request.subscribedTopicNames().size() > MOST_NAMES) {
            return Optional.of("SubscribedTopicNames has more than " + MOST_NAMES + " names.");
        }
        return isJoin(request) ? problemOfJoin(request) : Optional.empty();
    }

    private static Optional<String> problemOfJoin(ConsumerGroupHeartbeatRequestData request) {
        if (request.rebalanceTimeoutMs() == UNCHANGED) {
            return Optional.of("RebalanceTimeoutMs must be provided in first request.");
        }
        if (request.topicPartitions() == null || !request.topicPartitions().isEmpty()) {
            return Optional.of("TopicPartitions must be empty when (re-)joining.");
        }
        if (request.subscribedTopicNames() == null && request.subscribedTopicRegex() == null) {
            return Optional.of(
                    "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
        }
        return Optional.empty();
    }
}
