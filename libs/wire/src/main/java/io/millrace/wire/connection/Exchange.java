package io.millrace.wire.connection;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import io.millrace.wire.codec.Messages;
import io.millrace.wire.error.Failures;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One request from its arrival until its answer is written. Confined to the connection's event loop.
@Slf4j
final class Exchange {
    private final ApiHandler<ApiMessage, ApiMessage> handler;
    private final ApiMessage request;
    private final RequestContext context;
    private final RequestTimes times;
    private final boolean answered;

    private Outcome outcome = new Pending();
    private @Nullable CompletableFuture<ApiMessage> future;

    /// What has come of it so far.
    private sealed interface Outcome {}

    private record Pending() implements Outcome {}

    private record Answered(ApiMessage answer) implements Outcome {}

    private record Failed(Throwable failure) implements Outcome {}

    /// The connection died first.
    private record Abandoned() implements Outcome {}

    Exchange(ApiHandler<ApiMessage, ApiMessage> handler, ApiMessage request, RequestContext context,
            RequestTimes times) {
        this.handler = handler;
        this.request = request;
        this.context = context;
        this.times = times;
        this.answered = handler.answered(request);
    }

    RequestTimes times() {
        return times;
    }

    /// Whether the client waits for an answer.
    boolean answered() {
        return answered;
    }

    /// Hands the request to its handler; what the handler throws becomes a failed future.
    CompletableFuture<ApiMessage> handle() {
        try {
            future = handler.handle(request, context);
        } catch (RuntimeException | AssertionError failure) {
            future = CompletableFuture.failedFuture(failure);
        }
        return future;
    }

    /// Tells the handler that nobody waits any more.
    void abandon() {
        outcome = new Abandoned();
        if (future != null) {
            handler.abandoned(future);
        }
    }

    /// Takes what the handler's future came to; one of the two is not null.
    void complete(@Nullable ApiMessage answer, @Nullable Throwable failure) {
        if (outcome instanceof Abandoned) {
            letGo(answer, failure);
        } else if (answer != null) {
            outcome = new Answered(answer);
        } else {
            outcome = new Failed(failure == null ? new IllegalStateException("no answer") : failure);
        }
    }

    private void letGo(@Nullable ApiMessage answer, @Nullable Throwable failure) {
        if (answer != null) {
            FileSlice.releaseAll(answer);
        } else if (failure != null && !(Failures.cause(failure) instanceof CancellationException)) {
            report(failure);
        }
    }

    boolean done() {
        return !(outcome instanceof Pending);
    }

    boolean failed() {
        return outcome instanceof Failed;
    }

    /// The answer's frame: of the handler's answer, or of a refusal where there is none that can be written.
    ///
    /// @throws RuntimeException where not even the refusal can be written
    List<ReferenceCounted> write(ByteBufAllocator allocator) {
        return switch (outcome) {
            case Answered(ApiMessage answer) -> {
                try {
                    var parts = write(answer, allocator);
                    times.error(AnswerErrors.of(answer));
                    yield parts;
                } catch (RuntimeException unwritable) {
                    yield writeRefusal(unwritable, allocator);
                }
            }
            case Failed(Throwable failure) -> writeRefusal(failure, allocator);
            case Pending _,Abandoned _ -> throw new IllegalStateException("not answered yet: " + context.api());
        };
    }

    /// Lets go of an answer that will not be sent.
    void discard() {
        if (outcome instanceof Answered(ApiMessage answer)) {
            FileSlice.releaseAll(answer);
        }
    }

    /// Counts and logs a failure that the client will see as a refusal, or as the end of its connection.
    Errors report(Throwable failure) {
        var error = Failures.errorOf(failure);
        times.error(error);
        if (Failures.isBug(failure)) {
            log.error("request failed api={} version={} connection={}", context.api().name, context.version(),
                    context.connectionId(), Failures.cause(failure));
        } else if (log.isDebugEnabled()) {
            log.debug("request refused api={} version={} connection={} error={} reason={}", context.api().name,
                    context.version(), context.connectionId(), error, Failures.cause(failure).toString());
        }
        return error;
    }

    /// As [#report(Throwable)], of the failure it came to; nothing where it did not fail.
    void reportFailure() {
        if (outcome instanceof Failed(Throwable failure)) {
            report(failure);
        }
    }

    private List<ReferenceCounted> writeRefusal(Throwable failure, ByteBufAllocator allocator) {
        var error = report(failure);
        var refusal = handler.refuse(request, error, Failures.messageOf(failure), context.version());
        return write(refusal, allocator);
    }

    private List<ReferenceCounted> write(ApiMessage answer, ByteBufAllocator allocator) {
        return Messages.writeAnswer(answer, context.version(), context.correlationId(), allocator);
    }
}
