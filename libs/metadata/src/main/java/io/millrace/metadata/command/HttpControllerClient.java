package io.millrace.metadata.command;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.micrometer.observation.ObservationRegistry;
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
    private final ObservationRegistry observations;
    private final Sinks.Many<Boolean> terms = Sinks.many().multicast().directBestEffort();
    private volatile boolean closed;

    HttpControllerClient(ActiveController locator, ObservationRegistry observations) {
        this.locator = locator;
        this.observations = observations;
        locator.onChange(() -> terms.tryEmitNext(true));
    }

    /// A command on its way.
    ///
    /// @param headers that go along with each try
    /// @param deadline of all tries together
    private record Call<R>(Command<R> command, String name, Map<String, String> headers, Deadline deadline) {}

    /// What one try came to.
    private sealed interface Outcome<R> {
        record Done<R>(R result) implements Outcome<R> {}

        /// Not carried out, or nobody knows, and another try may be answered.
        record NotThere<R>(String reason, Optional<ControllerAddress> active) implements Outcome<R> {}
    }

    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        var name = CommandCodec.name(command.getClass());
        var headers = new HashMap<String, String>();
        var observation = CommandObservations.sent(observations, name, headers);
        var call = new Call<>(command, name, Map.copyOf(headers), Deadline.in(timeout, Ticker.SYSTEM));
        return attempt(call, Optional.empty(), 0).whenComplete((_, failure) -> CommandObservations.end(observation,
                failure == null ? CommandObservations.Outcome.DONE : CommandObservations.Outcome.of(failure)));
    }

    private <R> CompletableFuture<R> attempt(Call<R> call, Optional<ControllerAddress> hint, int attempt) {
        if (closed) {
            return CompletableFuture.failedFuture(new IOException("closed"));
        }
        return hint.map(CompletableFuture::completedFuture)
                .orElseGet(locator::locate)
                .handle((address, failure) -> failure == null
                        ? exchange(call, address)
                        : CompletableFuture.<Outcome<R>>completedFuture(
                                new Outcome.NotThere<>(String.valueOf(cause(failure).getMessage()), Optional.empty())))
                .thenCompose(exchange -> exchange)
                .thenCompose(outcome -> switch (outcome) {
                    case Outcome.Done<R>(var result) -> CompletableFuture.completedFuture(result);
                    case Outcome.NotThere<R>(var reason, var active) -> again(call, reason, active, attempt);
                });
    }

    private <R> CompletableFuture<R> again(Call<R> call, String reason, Optional<ControllerAddress> active,
            int attempt) {
        var wait = BACKOFF.delay(attempt, ThreadLocalRandom.current());
        if (wait.compareTo(call.deadline().remaining()) >= 0) {
            return CompletableFuture.failedFuture(new TimeoutException(
                    call.name() + " reached no active controller: " + reason));
        }
        log.debug("command={} attempt={} retryMs={} reason={}", call.name(), attempt, wait.toMillis(), reason);
        var later = CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(_ -> attempt(call, active, attempt + 1));
    }

    private <R> CompletableFuture<Outcome<R>> exchange(Call<R> call, ControllerAddress address) {
        var answer = ControllerHttp.client(address)
                .headers(headers -> {
                    call.headers().forEach(headers::set);
                    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
                })
                .post()
                .uri("/commands/" + call.name())
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(CommandCodec.write(call.command()))))
                .response((response, body) -> Bodies.whole(body).map(bytes -> outcome(call, response, bytes)))
                .single();
        var deposed = terms.asFlux()
                .next()
                .<Outcome<R>>map(_ -> new Outcome.NotThere<>("another controller took over", Optional.empty()));
        return Mono.firstWithSignal(answer, deposed)
                .timeout(call.deadline().remaining())
                .toFuture()
                .exceptionallyCompose(failure -> failed(call, address, cause(failure)))
                .thenApply(outcome -> {
                    if (outcome instanceof Outcome.NotThere) {
                        locator.forget(address);
                    }
                    return outcome;
                });
    }

    private <R> CompletableFuture<Outcome<R>> failed(Call<R> call, ControllerAddress address, Throwable failure) {
        return switch (failure) {
            case TimeoutException _ -> {
                locator.forget(address);
                yield CompletableFuture.failedFuture(new TimeoutException("no answer to %s from controller %s: %s"
                        .formatted(call.name(), address, failure.getMessage())));
            }
            case IOException _ -> CompletableFuture.completedFuture(new Outcome.NotThere<>(String.valueOf(failure
                    .getMessage()), Optional.empty()));
            default -> CompletableFuture.failedFuture(failure);
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static <R> Outcome<R> outcome(Call<R> call, HttpClientResponse response, byte[] body) {
        int status = response.status().code();
        if (status == HttpResponseStatus.OK.code()) {
            return new Outcome.Done<>(CommandCodec.read(body, call.command().resultType()));
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
