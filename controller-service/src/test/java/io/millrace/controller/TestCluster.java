package io.millrace.controller;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.znode.ConfigNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.Step;
import io.millrace.service.metrics.Telemetry;
import io.millrace.service.subscription.ZnodeActiveController;

/// A ZooKeeper in this process, and controllers and nodes around it. [#zookeeper] is a tool's view of it.
final class TestCluster implements AutoCloseable {
    static final Duration PATIENCE = TestZooKeeper.PATIENCE;

    private final TestZooKeeper server = new TestZooKeeper();
    private final Map<String, String> settings = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Znodes zookeeper;
    private final ControllerClient client;

    TestCluster() {
        settings.put("offsets.topic.num.partitions", "5");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("zookeeper.session.timeout.ms", Long.toString(TestZooKeeper.SESSION.toMillis()));
        zookeeper = connect();
        var loop = new SingleThreadLoop("test-tool");
        open.add(loop);
        var locator = new ZnodeActiveController(zookeeper, loop);
        open.add(locator);
        client = ControllerClient.create(locator, ObservationRegistry.NOOP);
    }

    TestCluster with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    Znodes zookeeper() {
        return zookeeper;
    }

    TestZooKeeper server() {
        return server;
    }

    Znodes connect() {
        return server.connect();
    }

    /// A controller that has been started.
    Running controller(int id) {
        var znodes = connect();
        var node = new ControllerNode(new ControllerProperties(id, "localhost", 0), ServerSettings.of(settings),
                new ControllerNode.Addresses() {
                    @Override
                    public String host() {
                        return "localhost";
                    }

                    @Override
                    public String http() {
                        return "http://localhost:1";
                    }
                }, znodes, new Telemetry(new SimpleMeterRegistry(), ObservationRegistry.NOOP));
        var running = new Running(node, znodes, new ArrayDeque<>());
        open.add(running);
        running.start();
        return running;
    }

    /// @param znodes its own session
    record Running(ControllerNode node, Znodes znodes, Deque<Step> begun) implements AutoCloseable {
        void start() {
            for (var step : node.steps()) {
                begun.push(step);
                run(step.start());
            }
        }

        void awaitReady() {
            await().atMost(PATIENCE).until(() -> node.whyNotReady().isEmpty());
        }

        @Override
        public void close() {
            while (!begun.isEmpty()) {
                run(begun.pop().stop());
            }
        }

        private static void run(Step.Action action) {
            try {
                action.run();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /// A broker whose stream is up once [TestNode#awaitActive] returns.
    TestNode broker(int id) {
        return opened(TestNode.broker(id, connect()));
    }

    TestNode coordinator(int id) {
        return opened(TestNode.coordinator(id, connect()));
    }

    private TestNode opened(TestNode node) {
        open.add(node);
        return node;
    }

    <R> R send(Command<R> command) {
        return get(client.send(command, PATIENCE));
    }

    /// As Kafka 2.6's `kafka-topics --zookeeper --create` leaves it.
    void createTopicAsAnOldTool(String name, String partitions) {
        get(zookeeper.create(Paths.config(ConfigResource.topic(name)), new ConfigNode(Map.of()).json()));
        get(zookeeper.create(Paths.topic(name), "{\"version\":2,\"partitions\":" + partitions
                + ",\"adding_replicas\":{},\"removing_replicas\":{}}"));
    }

    /// As a tool that knows nothing of versions writes.
    void overwrite(String path, String data) {
        get(zookeeper.set(path, data, ZnodeWrite.ANY_VERSION));
    }

    Znode read(String path) {
        return get(zookeeper.read(path)).orElseThrow(() -> new AssertionError("nothing at " + path));
    }

    boolean exists(String path) {
        return get(zookeeper.read(path)).isPresent();
    }

    static <T> T get(CompletableFuture<T> future) {
        return TestZooKeeper.get(future);
    }

    static int leader(ClusterImage image, String topic) {
        return image.partition(topic, 0).map(partition -> partition.leader()).orElse(-2);
    }

    @Override
    public void close() {
        try {
            for (var each : open.reversed()) {
                each.close();
            }
            server.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
