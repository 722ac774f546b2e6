package io.millrace.metadata.command;

import java.util.Optional;
import java.util.concurrent.CompletionException;

import io.millrace.metadata.controller.ControllerAddress;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/// The controller's end of the commands: reads one, has it carried out, writes the answer.
@Slf4j
public final class CommandRouter {
    private final CommandHandler handler;

    public CommandRouter(CommandHandler handler) {
        this.handler = handler;
    }

    /// Answers one `POST /commands/<name>`. On the event loop of its connection.
    public Publisher<Void> serve(HttpServerRequest request, HttpServerResponse response) {
        var name = Optional.ofNullable(request.param("name")).orElse("");
        return Bodies.whole(request.receive())
                .flatMap(body -> carriedOut(name, body))
                .flatMap(result -> answer(response, HttpResponseStatus.OK, "application/json", result))
                .onErrorResume(failure -> refuse(name, failure, response));
    }

    /// No such command.
    private static final class Unknown extends RuntimeException {
        Unknown(String name) {
            super("no command " + name, null, false, false);
        }
    }

    private Mono<Object> carriedOut(String name, byte[] body) {
        return Mono.fromFuture(() -> {
            var type = CommandCodec.command(name).orElseThrow(() -> new Unknown(name));
            return handler.handle((Command<?>) CommandCodec.read(body, type)).thenApply(result -> (Object) result);
        });
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
            case Unknown unknown -> problem(response, HttpResponseStatus.NOT_FOUND, unknown.getMessage(), (short) 0);
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
