package io.millrace.broker.partition;

import io.millrace.log.batch.LogRefused;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What a client is told of a partition that did not do what it asked for.
@Slf4j
public final class PartitionFailures {
    private PartitionFailures() {}

    /// The code for that part of the answer. A bug is logged here, since nobody further out sees it.
    ///
    /// @param what was asked for, for that line: `fetch`
    public static Errors errorOf(Throwable failure, String what, String topic, int partition) {
        var cause = Failures.cause(failure);
        if (cause instanceof LogRefused refused) {
            return refused.error();
        }
        var error = Failures.errorOf(cause);
        if (error == Errors.UNKNOWN_SERVER_ERROR) {
            log.error("{} failed topic={} partition={}", what, topic, partition, cause);
        }
        return error;
    }

    /// The text for that part; null where there is none for a client.
    public static @Nullable String messageOf(Throwable failure) {
        var cause = Failures.cause(failure);
        return cause instanceof LogRefused ? cause.getMessage() : Failures.messageOf(cause);
    }
}
