package io.millrace.coordinator;

import java.util.List;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/// A controller that publishes what the test tells it.
final class FakeController implements AutoCloseable {
    private final MetadataPublisher publisher = new MetadataPublisher(StreamConfig.DEFAULT, new Silent(),
            new SimpleMeterRegistry());
    private final DisposableServer server = HttpServer.create().protocol(HttpProtocol.H2C).host("127.0.0.1").port(0)
            .route(routes -> routes.post("/metadata/stream", publisher::serve)).bindNow();
    private ClusterImage image = ClusterImage.EMPTY;

    private static final class Silent implements SubscriberListener {
        @Override
        public void connected(Subscriber subscriber) {}

        @Override
        public void applied(Subscriber subscriber, MetadataVersion version) {}

        @Override
        public void disconnected(Subscriber subscriber) {}
    }

    FakeController() {
        var version = new MetadataVersion(1, 1);
        image = Replay.apply(image, new Delta(image.version(), version, List.of()));
        publisher.activate(image);
    }

    int port() {
        return server.port();
    }

    void publish(List<MetadataRecord> records) {
        var delta = new Delta(image.version(), image.version().next(), records);
        image = Replay.apply(image, delta);
        publisher.publish(delta, image);
    }

    @Override
    public void close() {
        publisher.close();
        server.disposeNow();
    }
}
