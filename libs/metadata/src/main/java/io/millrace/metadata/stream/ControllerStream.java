package io.millrace.metadata.stream;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.ControllerHttp;
import io.millrace.metadata.controller.WireVersion;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClientResponse;

/// An exchange over HTTP/2.
final class ControllerStream implements StreamTransport.Exchange {
    /// Far more than what goes up within the silence after which the stream is given up.
    private static final int MAX_WAITING_UP = 256;

    private final Sinks.Many<ByteBuf> up = Sinks.many()
            .unicast()
            .onBackpressureBuffer(new ArrayBlockingQueue<>(MAX_WAITING_UP));
    private final Disposable exchange;

    /// See [StreamTransport#open].
    ControllerStream(ControllerAddress address, Hello hello, int maxFrameBytes,
            Function<StreamMessage, CompletableFuture<Void>> received, Consumer<Throwable> ended) {
        send(new StreamMessage.Greeting(hello));
        var frames = new FrameReader(maxFrameBytes);
        exchange = ControllerHttp.client(address)
                .post()
                .uri("/metadata/stream")
                .send((_, out) -> out.send(up.asFlux(), _ -> true))
                .response((response, body) -> frames(response, body, frames))
                .concatMap(frame -> Mono.fromFuture(() -> StreamEncoding.decode(frame)
                        .map(received)
                        .orElseGet(() -> CompletableFuture.completedFuture(null))), 1)
                .subscribe(_ -> {}, ended, () -> ended.accept(new IOException("the controller ended the stream")));
    }

    private static Flux<byte[]> frames(HttpClientResponse response, ByteBufFlux body, FrameReader frames) {
        if (response.status().code() != HttpResponseStatus.OK.code()) {
            return Flux.error(new IOException(refusal(response)));
        }
        // Read in place: the buffers are given back as soon as this returns.
        return body.map(frames::read).concatMapIterable(whole -> whole, 1);
    }

    private static String refusal(HttpClientResponse response) {
        var headers = response.responseHeaders();
        var active = headers.get(ControllerAddress.HEADER);
        if (response.status().equals(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED)) {
            return "the controller does not speak wire version " + WireVersion.NEWEST + ", its own is "
                    + headers.get(WireVersion.HEADER) + ": upgrade the controllers first";
        }
        return "the controller answered " + response.status()
                + (active == null ? "" : " and that " + active + " is active");
    }

    @Override
    public void send(StreamMessage message) {
        var frame = Frames.heap(message);
        if (up.tryEmitNext(frame).isFailure()) {
            frame.release();
        }
    }

    @Override
    public void close() {
        exchange.dispose();
        up.tryEmitComplete();
    }
}
