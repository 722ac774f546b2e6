package io.millrace.metadata.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.record.RandomCluster;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Both ends of the stream over real sockets.
class MetadataStreamIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final StreamConfig CONFIG = new StreamConfig(10, 1 << 20, Duration.ofMillis(100),
            Duration.ofSeconds(5), 64 << 20, new Backoff(Duration.ofMillis(20), Duration.ofMillis(200)));

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Located located = new Located();

    @AfterEach
    void close() throws Exception {
        for (var closeable : open.reversed()) {
            closeable.close();
        }
    }

    /// Where the test says that the active controller is.
    private static final class Located implements ActiveController {
        private final AtomicReference<@Nullable ControllerAddress> address = new AtomicReference<>();
        private final AtomicInteger forgotten = new AtomicInteger();

        @Override
        public CompletableFuture<ControllerAddress> locate() {
            var known = address.get();
            return known == null
                    ? CompletableFuture.failedFuture(new IOException("nobody"))
                    : CompletableFuture.completedFuture(known);
        }

        @Override
        public void forget(ControllerAddress gone) {
            forgotten.incrementAndGet();
        }
    }

    private final class TestController implements SubscriberListener {
        final MetadataPublisher publisher;
        final ControllerEndpoint endpoint;
        final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        final RandomCluster cluster;
        final Map<String, MetadataVersion> applied = new ConcurrentHashMap<>();
        final List<Subscriber> connected = new CopyOnWriteArrayList<>();
        final List<Subscriber> disconnected = new CopyOnWriteArrayList<>();

        TestController(int epoch) {
            publisher = new MetadataPublisher(CONFIG, this, meters);
            cluster = new RandomCluster(epoch, epoch);
            endpoint = ControllerEndpoint.bind("127.0.0.1", 0, publisher, new CommandRouter(new CommandHandler() {
                @Override
                public <R> CompletableFuture<R> handle(Command<R> command) {
                    return CompletableFuture.failedFuture(new CommandRefused((short) 1, "none here"));
                }
            }, ObservationRegistry.NOOP));
            open.add(endpoint);
        }

        ControllerAddress address() {
            return new ControllerAddress(1, "127.0.0.1", endpoint.address().getPort());
        }

        void activate() {
            publisher.activate(cluster.image());
            located.address.set(address());
        }

        void publish(int changes) {
            for (int i = 0; i < changes; i++) {
                var delta = cluster.change();
                publisher.publish(delta, cluster.image());
            }
        }

        double count(String meter) {
            return meters.counter(meter).count();
        }

        @Override
        public void connected(Subscriber subscriber) {
            connected.add(subscriber);
        }

        @Override
        public void applied(Subscriber subscriber, MetadataVersion version) {
            applied.put(subscriber.hello().role() + "-" + subscriber.hello().id(), version);
        }

        @Override
        public void disconnected(Subscriber subscriber) {
            disconnected.add(subscriber);
        }
    }

    private final class TestNode implements StreamListener {
        final SingleThreadLoop loop;
        final MetadataStream stream;
        final List<MetadataVersion> versions = new CopyOnWriteArrayList<>();
        final List<Boolean> ups = new CopyOnWriteArrayList<>();
        final AtomicReference<CompletableFuture<Void>> gate = new AtomicReference<>(
                done());
        private ClusterImage last = ClusterImage.EMPTY;

        TestNode(int id) {
            loop = new SingleThreadLoop("node-" + id);
            stream = new MetadataStream(located, () -> new Hello(Role.BROKER, id, 7, MetadataVersion.NONE, null,
                    "test"), loop, Ticker.SYSTEM, this, CONFIG);
            open.add(loop);
            open.add(stream);
            stream.start();
        }

        @Override
        public CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes) {
            assertThat(loop.inLoop()).isTrue();
            assertThat(before).isEqualTo(last);
            assertThat(after.version()).isGreaterThanOrEqualTo(before.version());
            last = after;
            versions.add(after.version());
            return gate.get();
        }

        @Override
        public void connected(boolean up) {
            ups.add(up);
        }

        void awaitImageOf(TestController controller) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(stream.image().version()).isEqualTo(
                    controller.cluster.image().version()));
            assertThat(stream.image()).isEqualTo(controller.cluster.image());
        }
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Test
    void nodeGetsASnapshotThenEachDeltaAndSaysWhatItApplied() {
        var controller = new TestController(1);
        controller.publisher.activate(controller.cluster.image());
        controller.publish(50);
        located.address.set(controller.address());
        var node = new TestNode(3);
        node.awaitImageOf(controller);

        for (int i = 0; i < 20; i++) {
            controller.publish(1);
            node.awaitImageOf(controller);
        }

        assertThat(node.versions).hasSize(21);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(controller.applied).containsEntry("BROKER-3",
                controller.cluster.image().version()));
        assertThat(node.ups).containsExactly(true);
        assertThat(controller.count("millrace.metadata.stream.snapshots")).isEqualTo(1);
        assertThat(controller.connected.getFirst().hello().nodeEpoch()).isEqualTo(7);
    }

    @Test
    void slowSubscriberSkipsToASnapshotAndHoldsUpNobody() {
        var controller = new TestController(1);
        controller.activate();
        controller.publish(1);
        var slow = new TestNode(1);
        var fast = new TestNode(2);
        slow.awaitImageOf(controller);
        fast.awaitImageOf(controller);

        var gate = new CompletableFuture<Void>();
        slow.gate.set(gate);
        int changes = 60_000;
        for (int i = 0; i < changes; i++) {
            controller.publish(1);
            if (i % 500 == 0) {
                fast.awaitImageOf(controller);
            }
        }
        fast.awaitImageOf(controller);
        assertThat(slow.versions.size()).isLessThan(10);
        slow.gate.set(done());
        gate.complete(null);

        slow.awaitImageOf(controller);
        assertThat(slow.versions.size()).isLessThan(changes);
        assertThat(controller.count("millrace.metadata.stream.snapshots")).isGreaterThanOrEqualTo(3);
        assertThat(controller.disconnected).isEmpty();
    }

    @Test
    void nodeFollowsWhicheverControllerIsActiveAndNeverAnOlderOne() {
        var first = new TestController(1);
        var second = new TestController(2);
        first.activate();
        first.publish(3);
        var node = new TestNode(1);
        node.awaitImageOf(first);

        second.activate();
        second.publish(2);
        first.publisher.standBy(second.address());
        node.awaitImageOf(second);
        assertThat(node.ups).containsExactly(true, false, true);

        // The old one believes that it is active again and draws the node to it.
        int forgotten = located.forgotten.get();
        first.publisher.activate(first.cluster.image());
        located.address.set(first.address());
        node.stream.reconnect("test");
        await().atMost(PATIENCE).until(() -> located.forgotten.get() > forgotten + 2);
        assertThat(node.stream.image()).isEqualTo(second.cluster.image());

        located.address.set(second.address());
        second.publish(1);
        node.awaitImageOf(second);
    }

    @Test
    void returningNodeGetsOnlyWhatItMissed() {
        var controller = new TestController(1);
        controller.activate();
        controller.publish(1);
        var node = new TestNode(1);
        node.awaitImageOf(controller);

        located.address.set(null);
        controller.publisher.drop(controller.connected.getFirst());
        await().atMost(PATIENCE).until(() -> controller.disconnected.size() == 1);
        controller.publish(5);
        located.address.set(controller.address());
        node.awaitImageOf(controller);

        assertThat(controller.count("millrace.metadata.stream.snapshots")).isEqualTo(1);
        assertThat(controller.connected).hasSize(2);
    }

    @Test
    void nodeOutlivesAControllerThatDiesAndComesBackOnAnotherPort() {
        var first = new TestController(1);
        first.activate();
        var node = new TestNode(1);
        await().atMost(PATIENCE).until(() -> !node.ups.isEmpty());
        first.endpoint.close();
        await().atMost(PATIENCE).until(() -> node.ups.contains(false));

        var second = new TestController(2);
        second.activate();
        node.awaitImageOf(second);
        assertThat(node.ups).last().isEqualTo(true);
    }

    @Test
    void nodeThatGoesIsNoticed() {
        var controller = new TestController(1);
        controller.activate();
        var node = new TestNode(1);
        await().atMost(PATIENCE).until(() -> !node.ups.isEmpty());

        node.stream.close();

        await().atMost(PATIENCE).until(() -> controller.disconnected.size() == 1);
        assertThat(controller.meters.find("millrace.metadata.stream.subscribers").gauge()).isNotNull();
        await().atMost(PATIENCE).until(() -> controller.meters.get("millrace.metadata.stream.subscribers").gauge()
                .value() == 0);
    }

    @Test
    void failingListenerDoesNotHoldUpTheStream() {
        var controller = new TestController(1);
        controller.activate();
        var node = new TestNode(1);
        node.awaitImageOf(controller);
        node.gate.set(CompletableFuture.failedFuture(new IllegalStateException("planted")));

        controller.publish(3);

        node.awaitImageOf(controller);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(controller.applied).containsEntry("BROKER-1",
                controller.cluster.image().version()));
    }
}
