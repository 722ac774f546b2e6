package io.millrace.wire.error;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The one map from failures to Kafka's codes.
public final class Failures {
    private Failures() {}

    /// The code a client gets for `failure`, whatever futures wrapped around it.
    public static Errors errorOf(Throwable failure) {
        return switch (cause(failure)) {
            case Refused refused -> refused.error();
            case ApiException kafkas -> Errors.forException(kafkas);
            case TimeoutException _ -> Errors.REQUEST_TIMED_OUT;
            case NodeUnreachable _ -> Errors.NETWORK_EXCEPTION;
            case IOException _ -> Errors.KAFKA_STORAGE_ERROR;
            default -> Errors.UNKNOWN_SERVER_ERROR;
        };
    }

    /// The text a client may read; null where there is none for it. Only refusals have one: the text of an accident or a
    /// bug (paths, addresses) stays in this process's log.
    public static @Nullable String messageOf(Throwable failure) {
        return cause(failure) instanceof Refused refused ? refused.getMessage() : null;
    }

    /// Whether `failure` is a bug: nothing that a client, a disk or the network did.
    public static boolean isBug(Throwable failure) {
        return errorOf(failure) == Errors.UNKNOWN_SERVER_ERROR;
    }

    /// What `failure` is once the wrappers that futures put around it are taken off.
    public static Throwable cause(Throwable failure) {
        var inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
