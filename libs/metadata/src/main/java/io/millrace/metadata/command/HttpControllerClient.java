package io.millrace.metadata.command;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.ControllerHttp;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import lombok.extern.slf4j.Slf4j;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClientResponse;

/// [ControllerClient] over HTTP/2. Each command has a connection of its own: they are rare, and none is sent on one that
/// died unnoticed.
///
/// A controller that dies or hangs with a command in hand has carried it out by the time that another takes over, or never
/// will: so the other one is asked again, as Kafka's clients do it. Where the first did carry it out, that one says so in
/// its own way (a topic that is there already, say).
@Slf4j
final class HttpControllerClient implements ControllerClient {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofMillis(300));

    private final ActiveController locator;
    private final Sinks.Many<Boolean> terms = Sinks.many().multicast().directBestEffort();
    private volatile boolean closed;

    HttpControllerClient(ActiveController locator) {
        this.locator = locator;
        locator.onChange(() -> terms.tryEmitNext(true));
    }

    /// What one try came to.
    private sealed interface Outcome<R> {
        record Done<R>(R result) implements Outcome<R> {}

        /// Not carried out, or nobody knows, and another try may be answered.
        record NotThere<R>(String reason, Optional<ControllerAddress> active) implements Outcome<R> {}
    }

    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        return attempt(command, Optional.empty(), Deadline.in(timeout, Ticker.SYSTEM), 0);
    }

    private <R> CompletableFuture<R> attempt(Command<R> command, Optional<ControllerAddress> hint, Deadline deadline,
            int attempt) {
        if (closed) {
            return CompletableFuture.failedFuture(new IOException("closed"));
        }
        return hint.map(CompletableFuture::completedFuture)
                .orElseGet(locator::locate)
                .handle((address, failure) -> failure == null
                        ? exchange(command, address, deadline)
                        : CompletableFuture.<Outcome<R>>completedFuture(
                                new Outcome.NotThere<>(String.valueOf(cause(failure).getMessage()), Optional.empty())))
                .thenCompose(exchange -> exchange)
                .thenCompose(outcome -> switch (outcome) {
                    case Outcome.Done<R>(var result) -> CompletableFuture.completedFuture(result);
                    case Outcome.NotThere<R>(var reason, var active) ->
                        again(command, reason, active, deadline, attempt);
                });
    }

    private <R> CompletableFuture<R> again(Command<R> command, String reason, Optional<ControllerAddress> active,
            Deadline deadline, int attempt) {
        var wait = BACKOFF.delay(attempt, ThreadLocalRandom.current());
        if (wait.compareTo(deadline.remaining()) >= 0) {
            return CompletableFuture.failedFuture(new TimeoutException(
                    CommandCodec.name(command.getClass()) + " reached no active controller: " + reason));
        }
        log.debug("command={} attempt={} retryMs={} reason={}", CommandCodec.name(command.getClass()), attempt,
                wait.toMillis(), reason);
        var later = CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later)
                .thenCompose(_ -> attempt(command, active, deadline, attempt + 1));
    }

    private <R> CompletableFuture<Outcome<R>> exchange(Command<R> command, ControllerAddress address,
            Deadline deadline) {
        var answer = ControllerHttp.client(address)
                .headers(headers -> headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json"))
                .post()
                .uri("/commands/" + CommandCodec.name(command.getClass()))
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(CommandCodec.write(command))))
                .response((response, body) -> Bodies.whole(body).map(bytes -> outcome(command, response, bytes)))
                .single();
        var deposed = terms.asFlux()
                .next()
                .<Outcome<R>>map(_ -> new Outcome.NotThere<>("another controller took over", Optional.empty()));
        return Mono.firstWithSignal(answer, deposed)
                .timeout(deadline.remaining())
                .toFuture()
                .exceptionallyCompose(failure -> failed(command, address, cause(failure)))
                .thenApply(outcome -> {
                    if (outcome instanceof Outcome.NotThere) {
                        locator.forget(address);
                    }
                    return outcome;
                });
    }

    private <R> CompletableFuture<Outcome<R>> failed(Command<R> command, ControllerAddress address, Throwable failure) {
        return switch (failure) {
            case TimeoutException _ -> {
                locator.forget(address);
                yield CompletableFuture.failedFuture(new TimeoutException("no answer to %s from controller %s: %s"
                        .formatted(CommandCodec.name(command.getClass()), address, failure.getMessage())));
            }
            case IOException _ -> CompletableFuture.completedFuture(new Outcome.NotThere<>(String.valueOf(failure
                    .getMessage()), Optional.empty()));
            default -> CompletableFuture.failedFuture(failure);
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static <R> Outcome<R> outcome(Command<R> command, HttpClientResponse response, byte[] body) {
        int status = response.status().code();
        if (status == HttpResponseStatus.OK.code()) {
            return new Outcome.Done<>(CommandCodec.read(body, command.resultType()));
        }
        if (status == HttpResponseStatus.MISDIRECTED_REQUEST.code()) {
            return new Outcome.NotThere<>("it is on standby",
                    ControllerAddress.parse(response.responseHeaders().get(ControllerAddress.HEADER)));
        }
        var problem = CommandCodec.read(body, Problem.class);
        var detail = Optional.ofNullable(problem.detail()).orElse(problem.title());
        if (problem.errorCode() != 0) {
            throw new CommandRefused(problem.errorCode(), detail);
        }
        throw new IllegalStateException("the controller answered " + status + ": " + detail);
    }

    @Override
    public void close() {
        closed = true;
    }
}
