package io.millrace.coordinator.shard;

import org.apache.kafka.common.protocol.Errors;

/// What a client is told when an append failed.
final class AppendErrors {
    private AppendErrors() {}

    /// Kafka answers NOT_COORDINATOR where the partition's leader has moved, since there the coordinator moves with it.
    /// Here it does not, so that such a client is told to try again; NOT_COORDINATOR is for an owner that was deposed.
    static Errors forClient(Errors append) {
        return switch (append) {
            case NONE -> Errors.NONE;
            case FENCED_LEADER_EPOCH, NOT_COORDINATOR -> Errors.NOT_COORDINATOR;
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, INVALID_FETCH_SIZE -> Errors.UNKNOWN_SERVER_ERROR;
            default -> Errors.COORDINATOR_NOT_AVAILABLE;
        };
    }

    /// The same for a part of a transaction, or its end: what the partition's leader knows of the producer is told as it is.
    static Errors forTransaction(Errors append) {
        return switch (append) {
            case INVALID_PRODUCER_EPOCH, PRODUCER_FENCED, INVALID_PRODUCER_ID_MAPPING, INVALID_TXN_STATE,
                    TRANSACTION_COORDINATOR_FENCED, TRANSACTION_ABORTABLE, UNKNOWN_PRODUCER_ID ->
                append;
            default -> forCommit(append);
        };
    }

    /// Whether it is known what is in the log: all of the append, or, where the leader refused it, nothing. It is not where
    /// the time was up, or where a newer owner has the word.
    static boolean isCertain(Errors append) {
        return switch (append) {
            case FENCED_LEADER_EPOCH, REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS_AFTER_APPEND, KAFKA_STORAGE_ERROR,
                    NETWORK_EXCEPTION, UNKNOWN_SERVER_ERROR ->
                false;
            default -> true;
        };
    }

    /// The same for a commit.
    static Errors forCommit(Errors append) {
        var error = forClient(append);
        return error == Errors.UNKNOWN_SERVER_ERROR ? Errors.INVALID_COMMIT_OFFSET_SIZE : error;
    }
}
