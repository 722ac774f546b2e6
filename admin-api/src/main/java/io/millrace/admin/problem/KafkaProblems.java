package io.millrace.admin.problem;

import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// Kafka's error codes as problems.
public final class KafkaProblems {
    private KafkaProblems() {}

    /// Does nothing where `code` is none.
    ///
    /// @param message what the node said; null: Kafka's own text for that code
    /// @throws Problem for any other code
    public static void check(short code, @Nullable String message) {
        if (code != Errors.NONE.code()) {
            throw problem(Errors.forCode(code), message);
        }
    }

    /// The problem that says `error` over REST.
    public static Problem problem(Errors error, @Nullable String message) {
        var text = message == null || message.isEmpty() ? String.valueOf(error.message()) : message;
        return switch (error) {
            case UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID -> Problem.unknownTopicOrPartition(text);
            case GROUP_ID_NOT_FOUND, UNKNOWN_MEMBER_ID, NO_REASSIGNMENT_IN_PROGRESS,
                    BROKER_ID_NOT_REGISTERED ->
                Problem.notFound(text);
            case NON_EMPTY_GROUP, GROUP_SUBSCRIBED_TO_TOPIC, REASSIGNMENT_IN_PROGRESS, ELIGIBLE_LEADERS_NOT_AVAILABLE ->
                Problem.conflict(text);
            case TOPIC_ALREADY_EXISTS, INVALID_TOPIC_EXCEPTION, INVALID_PARTITIONS, INVALID_REPLICATION_FACTOR,
                    INVALID_REPLICA_ASSIGNMENT, INVALID_CONFIG, INVALID_REQUEST, POLICY_VIOLATION, UNSUPPORTED_VERSION,
                    INVALID_GROUP_ID, OFFSET_OUT_OF_RANGE, INVALID_TIMESTAMP, INVALID_RECORD, SECURITY_DISABLED,
                    LOG_DIR_NOT_FOUND, TOPIC_DELETION_DISABLED, UNKNOWN_SERVER_ERROR ->
                Problem.refusedByKafka(text);
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE -> Problem.tooLarge(text);
            case INVALID_UPDATE_VERSION -> Problem.of(HttpStatus.PRECONDITION_FAILED, 41201, text);
            case THROTTLING_QUOTA_EXCEEDED -> Problem.of(HttpStatus.TOO_MANY_REQUESTS, 42901, text);
            case TOPIC_AUTHORIZATION_FAILED, GROUP_AUTHORIZATION_FAILED, CLUSTER_AUTHORIZATION_FAILED ->
                Problem.of(HttpStatus.FORBIDDEN, 40301, text);
            case REQUEST_TIMED_OUT -> Problem.timedOut(text);
            case BROKER_NOT_AVAILABLE, LEADER_NOT_AVAILABLE, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS,
                    NOT_COORDINATOR, NOT_LEADER_OR_FOLLOWER ->
                Problem.of(HttpStatus.SERVICE_UNAVAILABLE, 50302, text);
            case NOT_CONTROLLER -> Problem.of(HttpStatus.SERVICE_UNAVAILABLE, 50303, text);
            default -> error.exception() instanceof RetriableException
                    ? Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, 50003, text)
                    : Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, 50002, text);
        };
    }
}
