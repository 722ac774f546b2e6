package io.millrace.controller;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.subscription.ZnodeActiveController;

/// A node that registers and follows the metadata stream with the real client, and does nothing else.
final class TestNode implements AutoCloseable, StreamListener {
    private final NodeKey key;
    private final Znodes znodes;
    private final long epoch;
    private final ServerSocket port;
    private final SingleThreadLoop loop;
    private final MetadataStream stream;
    private volatile ClusterImage image = ClusterImage.EMPTY;
    private volatile boolean connected;
    private volatile CompletableFuture<Void> mayApply = CompletableFuture.completedFuture(null);

    private TestNode(NodeKey key, ServerSocket port, String registration, Znodes znodes) {
        this.key = key;
        this.port = port;
        this.znodes = znodes;
        var path = Paths.node(key);
        TestCluster.get(znodes.ensure(path.substring(0, path.lastIndexOf('/'))));
        epoch = TestCluster.get(znodes.createEphemeral(path, registration)).czxid();
        loop = new SingleThreadLoop("test-" + key.role() + "-" + key.id());
        stream = new MetadataStream(new ZnodeActiveController(znodes, loop), () -> new Hello(key.role(), key.id(),
                epoch,
                MetadataVersion.NONE, "http://localhost:2", "test"), loop, Ticker.SYSTEM, this, StreamConfig.DEFAULT);
        stream.start();
    }

    static TestNode broker(int id, Znodes znodes) {
        var port = listen();
        return new TestNode(new NodeKey(Role.BROKER, id), port, new BrokerRegistration(List.of(at(port)), null, 0)
                .json(), znodes);
    }

    static TestNode coordinator(int id, Znodes znodes) {
        var port = listen();
        return new TestNode(new NodeKey(Role.COORDINATOR, id), port, new ServiceRegistration(id, "localhost", port
                .getLocalPort(), List.of(at(port)), null, null, "test", 0).json(), znodes);
    }

    private static Endpoint at(ServerSocket port) {
        return new Endpoint("PLAINTEXT", "PLAINTEXT", "localhost", port.getLocalPort());
    }

    /// A port at which somebody is, who has nothing to say.
    private static ServerSocket listen() {
        try {
            var port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(() -> {
                while (!port.isClosed()) {
                    try {
                        port.accept().close();
                    } catch (IOException _) {
                        // Closed.
                    }
                }
            });
            return port;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void stopListening() {
        try {
            port.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes) {
        image = after;
        return mayApply;
    }

    @Override
    public void connected(boolean up) {
        connected = up;
    }

    long epoch() {
        return epoch;
    }

    ClusterImage image() {
        return image;
    }

    /// From now on images are not acknowledged.
    void stall() {
        mayApply = new CompletableFuture<>();
    }

    void resume() {
        mayApply.complete(null);
    }

    TestNode awaitActive() {
        await().atMost(TestCluster.PATIENCE).until(() -> connected && image.nodes().node(key.role(), key.id()).filter(
                node -> node.active() && node.epoch() == epoch).isPresent());
        return this;
    }

    /// Ends its stream and leaves its registration, as a killed process does.
    void kill() {
        stopListening();
        stream.close();
    }

    /// Ends its session.
    @Override
    public void close() {
        stopListening();
        stream.close();
        znodes.close();
        loop.close();
    }
}
