package io.millrace.metadata.zookeeper;

import java.util.concurrent.CompletionException;

import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import org.jspecify.annotations.Nullable;

/// What a future failed with, without what futures wrap around it.
final class Failure {
    private Failure() {}

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /// Why ZooKeeper refused; null where it did not answer.
    static @Nullable Reason reason(Throwable failure) {
        return cause(failure) instanceof ZnodeRefused refused ? refused.reason() : null;
    }
}
