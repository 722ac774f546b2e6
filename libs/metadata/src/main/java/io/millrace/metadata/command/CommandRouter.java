package io.millrace.metadata.command;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.CommandObservations.Outcome;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.WireVersion;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/// The controller's end of the commands: reads one, has it carried out, writes the answer. Each is observed, in the trace
/// of whoever sent it, and has one line of log.
@Slf4j
public final class CommandRouter {
    private static final String UNKNOWN = "unknown";
    /// Kafka's code: what a later version knows, and this one does not.
    private static final short UNSUPPORTED_VERSION = 35;
    private static final Set<String> ROUTINE = Stream
            .of(AlterPartition.class, AllocateProducerIds.class, ShardsPrepared.class)
            .map(CommandCodec::name).collect(Collectors.toUnmodifiableSet());

    private final CommandHandler handler;
    private final ObservationRegistry observations;

    public CommandRouter(CommandHandler handler, ObservationRegistry observations) {
        this.handler = handler;
        this.observations = observations;
    }

    /// Answers one `POST /commands/<name>`. On the event loop of its connection.
    public Publisher<Void> serve(HttpServerRequest request, HttpServerResponse response) {
        var name = Optional.ofNullable(request.param("name")).orElse("");
        response.header(WireVersion.HEADER, Integer.toString(WireVersion.NEWEST));
        var version = request.requestHeaders().get(WireVersion.HEADER);
        if (!WireVersion.isSpoken(version)) {
            log.warn("command={} refused remote={} reason=\"{}\"", name, request.remoteAddress(),
                    WireVersion.refusal(version));
            return problem(response, HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, WireVersion.refusal(version),
                    UNSUPPORTED_VERSION);
        }
        return Bodies.whole(request.receive())
                .flatMap(body -> observed(name, body, request.requestHeaders()))
                .flatMap(result -> answer(response, HttpResponseStatus.OK, "application/json", result))
                .onErrorResume(failure -> refuse(name, failure, response));
    }

    /// No such command.
    static final class Unknown extends RuntimeException {
        Unknown(String name) {
            super("no command " + name, null, false, false);
        }
    }

    private Mono<Object> observed(String name, byte[] body, HttpHeaders headers) {
        return Mono.fromFuture(() -> {
            var type = CommandCodec.command(name);
            var observation = CommandObservations.received(observations, type.isPresent() ? name : UNKNOWN, headers);
            long from = Ticker.SYSTEM.nanos();
            return carriedOut(name, type, body, observation)
                    .whenComplete((_, failure) -> ended(name, observation, from, failure));
        });
    }

    private CompletableFuture<Object> carriedOut(String name, Optional<Class<?>> type, byte[] body,
            Observation observation) {
        try (var _ = observation.openScope()) {
            var command = CommandCodec.read(body, type.orElseThrow(() -> new Unknown(name)));
            return handler.handle((Command<?>) command).thenApply(result -> (Object) result);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /// What nodes ask of their own accord, again and again, is not worth a line; what people ask for is.
    private static void ended(String name, Observation observation, long from, @Nullable Throwable failure) {
        var outcome = failure == null ? Outcome.DONE : Outcome.of(failure);
        long millis = Ticker.SYSTEM.since(from).toMillis();
        try (var _ = observation.openScope()) {
            if (ROUTINE.contains(name) || outcome != Outcome.DONE) {
                log.debug("command={} outcome={} millis={}", name, outcome.label(), millis);
            } else {
                log.info("command={} outcome={} millis={}", name, outcome.label(), millis);
            }
        }
        CommandObservations.end(observation, outcome);
    }

    private static Mono<Void> answer(HttpServerResponse response, HttpResponseStatus status, String contentType,
            Object body) {
        return response.status(status)
                .header(HttpHeaderNames.CONTENT_TYPE, contentType)
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(CommandCodec.write(body))))
                .then();
    }

    private static Mono<Void> refuse(String name, Throwable failure, HttpServerResponse response) {
        return switch (failure) {
            case CompletionException wrapped when wrapped.getCause() != null ->
                refuse(name, wrapped.getCause(), response);
            case NotActive standby -> {
                standby.active().ifPresent(active -> response.header(ControllerAddress.HEADER, active.toString()));
                yield problem(response, HttpResponseStatus.MISDIRECTED_REQUEST, standby.getMessage(), (short) 0);
            }
            case CommandRefused refused ->
                problem(response, HttpResponseStatus.UNPROCESSABLE_ENTITY, refused.getMessage(), refused.errorCode());
            case Unknown unknown ->
                problem(response, HttpResponseStatus.NOT_FOUND, unknown.getMessage(), UNSUPPORTED_VERSION);
            case Bodies.TooLarge large ->
                problem(response, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, large.getMessage(), (short) 0);
            case IllegalArgumentException bad ->
                problem(response, HttpResponseStatus.BAD_REQUEST, bad.getMessage(), (short) 0);
            case AbortedException gone -> {
                log.debug("command={} has nobody left to answer cause={}", name, gone.getMessage());
                yield Mono.error(gone);
            }
            default -> {
                log.error("command={} failed", name, failure);
                yield problem(response, HttpResponseStatus.INTERNAL_SERVER_ERROR, null, (short) 0);
            }
        };
    }

    private static Mono<Void> problem(HttpServerResponse response, HttpResponseStatus status,
            @Nullable String detail, short errorCode) {
        return answer(response, status, "application/problem+json",
                new Problem(status.code(), status.reasonPhrase(), detail, errorCode));
    }
}
