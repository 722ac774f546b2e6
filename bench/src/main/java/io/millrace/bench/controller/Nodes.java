package io.millrace.bench.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.subscription.ZnodeActiveController;

/// Brokers as the controller sees them: they register, listen, follow the metadata stream, and hold nothing. The streams
/// are real, each on a loop of its own; what the images say is shared knowledge of the benchmark.
final class Nodes implements AutoCloseable {
    private final Znodes znodes;
    private final ServerSocket port;
    private final List<Runnable> closers = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    /// Told which configuration was seen, and when by [System#nanoTime].
    private volatile ObjLongConsumer<ConfigResource> seen = (_, _) -> {};

    Nodes(Znodes znodes) throws IOException {
        this.znodes = znodes;
        port = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!port.isClosed()) {
                try {
                    port.accept().close();
                } catch (IOException _) {
                    // Closed.
                }
            }
        });
    }

    /// A node's own view.
    static final class Node implements StreamListener {
        private final ConcurrentHashMap<Integer, CompletableFuture<Long>> firstOfTerm = new ConcurrentHashMap<>();
        private final Nodes nodes;
        private volatile int topics;
        private volatile MetadataVersion version = MetadataVersion.NONE;

        Node(Nodes nodes) {
            this.nodes = nodes;
        }

        @Override
        public CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes) {
            long now = System.nanoTime();
            topics = after.topics().size();
            version = after.version();
            changes.configs().forEach(config -> nodes.seen.accept(config, now));
            firstOfTerm.computeIfAbsent(after.version().controllerEpoch(), _ -> new CompletableFuture<>()).complete(
                    now);
            return CompletableFuture.completedFuture(null);
        }

        int topics() {
            return topics;
        }

        MetadataVersion version() {
            return version;
        }
    }

    List<Node> all() {
        return nodes;
    }

    void onConfig(ObjLongConsumer<ConfigResource> listener) {
        seen = listener;
    }

    /// Registers one more, and opens its stream.
    Node add(int id) {
        var endpoint = new Endpoint("PLAINTEXT", "PLAINTEXT", "127.0.0.1", port.getLocalPort());
        znodes.ensure(Paths.BROKERS).join();
        long epoch = znodes.createEphemeral(Paths.broker(id), new BrokerRegistration(List.of(endpoint), null, 0).json())
                .join()
                .czxid();
        var node = new Node(this);
        follow(new Hello(Role.BROKER, id, epoch, MetadataVersion.NONE, null, "bench"), node);
        nodes.add(node);
        return node;
    }

    private void follow(Hello hello, StreamListener listener) {
        var loop = new SingleThreadLoop("node-" + hello.id());
        var locator = new ZnodeActiveController(znodes, loop);
        var stream = new MetadataStream(locator, () -> hello, loop, Ticker.SYSTEM, listener, StreamConfig.DEFAULT);
        closers.addAll(List.of(stream::close, locator::close, loop::close));
        stream.start();
    }

    @Override
    public void close() throws IOException {
        port.close();
        closers.forEach(Runnable::run);
    }
}
