package io.millrace.metadata.stream;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.check.Check;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.WireVersion;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.record.Delta;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/// The controller's end of all metadata streams. It begins on standby.
///
/// A delta is encoded once for all subscribers. One that is too slow gets a snapshot in place of what it missed, and never
/// slows the others. [#activate], [#publish] and [#standBy] are called by the controller's one thread; the rest by any.
@Slf4j
public final class MetadataPublisher implements ImagePublisher, AutoCloseable {
    private static final Duration PULSE = Duration.ofMillis(250);
    private static final byte[] BEAT = {'.'};

    private final StreamConfig config;
    private final Backlog backlog;
    private final StreamEvents events;
    private final AtomicLong lastStream = new AtomicLong();
    private final Map<Long, SubscriberStream> streams = new ConcurrentHashMap<>();
    private volatile Office office = new Standby(null);

    private sealed interface Office {}

    private record Active() implements Office {}

    private record Standby(@Nullable ControllerAddress active) implements Office {}

    public MetadataPublisher(StreamConfig config, SubscriberListener listener, MeterRegistry meters) {
        this.config = config;
        backlog = new Backlog(config.backlogVersions(), config.backlogBytes());
        events = new StreamEvents(listener, stream -> streams.remove(stream.id()),
                meters.counter("millrace.metadata.stream.snapshots"),
                meters.counter("millrace.metadata.stream.deltas"));
        meters.gaugeMapSize("millrace.metadata.stream.subscribers", List.of(), streams);
    }

    @Override
    public void activate(ClusterImage image) {
        backlog.reset(image);
        office = new Active();
    }

    @Override
    public void publish(Delta delta, ClusterImage after) {
        Check.argument(backlog.version().equals(delta.from()) && after.version().equals(delta.to()),
                "delta from %s to %s with image %s after %s", delta.from(), delta.to(), after.version(), backlog
                        .version());
        backlog.append(delta, after);
        streams.values().forEach(SubscriberStream::wake);
    }

    @Override
    public void standBy(@Nullable ControllerAddress active) {
        office = new Standby(active);
        streams.values().forEach(stream -> stream.drop("controller is on standby"));
        backlog.reset(ClusterImage.EMPTY);
    }

    /// Ends the stream of one subscriber; nothing where it has ended already.
    public void drop(Subscriber subscriber) {
        var stream = streams.get(subscriber.stream());
        if (stream != null) {
            stream.drop("dropped by the controller");
        }
    }

    /// Serves one stream. On the event loop of its connection.
    public Publisher<Void> serve(HttpServerRequest request, HttpServerResponse response) {
        response.header(WireVersion.HEADER, Integer.toString(WireVersion.NEWEST));
        var version = request.requestHeaders().get(WireVersion.HEADER);
        if (!WireVersion.isSpoken(version)) {
            log.warn("stream refused remote={} reason=\"{}\"", request.remoteAddress(), WireVersion.refusal(version));
            return response.status(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED).send();
        }
        return switch (office) {
            case Standby standby -> misdirected(response, standby);
            case Active _ -> {
                var opened = new AtomicReference<SubscriberStream>();
                response.withConnection(connection -> opened.set(open(connection, request)));
                var stream = opened.get();
                if (!(office instanceof Active)) {
                    stream.drop("controller is on standby");
                }
                yield response.send(stream, _ -> true);
            }
        };
    }

    /// Says again and again that this controller lives, as long as it is active.
    public Publisher<Void> pulse(HttpServerRequest request, HttpServerResponse response) {
        return switch (office) {
            case Standby standby -> misdirected(response, standby);
            case Active _ -> response.send(Flux.interval(Duration.ZERO, PULSE)
                    .onBackpressureDrop()
                    .takeWhile(_ -> office instanceof Active)
                    .map(_ -> Unpooled.wrappedBuffer(BEAT)), _ -> true);
        };
    }

    private static Publisher<Void> misdirected(HttpServerResponse response, Standby standby) {
        response.status(HttpResponseStatus.MISDIRECTED_REQUEST);
        var active = standby.active();
        if (active != null) {
            response.header(ControllerAddress.HEADER, active.toString());
        }
        return response.send();
    }

    private SubscriberStream open(Connection connection, HttpServerRequest request) {
        var stream = new SubscriberStream(connection.channel(), lastStream.incrementAndGet(), backlog, config, events);
        streams.put(stream.id(), stream);
        connection.addHandlerLast(stream);
        stream.start();
        request.receive().subscribe(stream::arrived, failure -> stream.end(failure.toString()),
                () -> stream.end("peer ended it"));
        return stream;
    }

    /// Ends all streams.
    @Override
    public void close() {
        standBy(null);
    }
}
