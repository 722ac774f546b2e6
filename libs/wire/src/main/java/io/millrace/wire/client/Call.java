package io.millrace.wire.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.millrace.base.loop.Timeout;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// One request from its sending until its answer, or until its time ran out. Confined to the node's event loop, but for
/// the future.
final class Call {
    private final ApiMessage request;
    private final @Nullable Consumer<ApiMessage> borrower;
    private final CompletableFuture<ApiMessage> future = new CompletableFuture<>();

    private @Nullable Timeout timeout;
    private int correlationId;
    private short version;
    private long sentNanos;

    Call(ApiMessage request) {
        this(request, null);
    }

    /// @param borrower reads the answer while its records are still where they arrived; null where the answer must last
    Call(ApiMessage request, @Nullable Consumer<ApiMessage> borrower) {
        this.request = request;
        this.borrower = borrower;
    }

    ApiMessage request() {
        return request;
    }

    ApiKeys api() {
        return ApiKeys.forId(request.apiKey());
    }

    CompletableFuture<ApiMessage> future() {
        return future;
    }

    void expiresBy(Timeout running) {
        timeout = running;
    }

    void sent(int withCorrelationId, short inVersion, long atNanos) {
        correlationId = withCorrelationId;
        version = inVersion;
        sentNanos = atNanos;
    }

    int correlationId() {
        return correlationId;
    }

    short version() {
        return version;
    }

    long sentNanos() {
        return sentNanos;
    }

    /// Whether the records of its answer need not outlive the reading of it.
    boolean borrows() {
        return borrower != null;
    }

    /// Nobody waits for it any more.
    boolean done() {
        return future.isDone();
    }

    void answer(ApiMessage answer) {
        stopTimeout();
        if (borrower != null && !done()) {
            borrower.accept(answer);
        }
        future.complete(answer);
    }

    void fail(Throwable failure) {
        stopTimeout();
        future.completeExceptionally(failure);
    }

    void expire(NodeAddress node) {
        future.completeExceptionally(new TimeoutException(api().name + " to " + node + " was not answered in time"));
    }

    private void stopTimeout() {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
