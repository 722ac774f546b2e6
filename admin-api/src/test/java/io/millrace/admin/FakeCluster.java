package io.millrace.admin;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.protocol.ApiMessage;

/// A cluster of one image, whose controller and nodes answer what the test says: broker 0 on port 9092 and coordinator
/// 1000 on port 9093; topic `orders` of two partitions, the second without a leader.
final class FakeCluster implements ControllerClient, NodeClient {
    static final String ID = "AAAAAAAAAAAAAAAAAAAAAA";
    static final UUID ORDERS = new UUID(1, 2);

    final ConcurrentLinkedQueue<Command<?>> commands = new ConcurrentLinkedQueue<>();
    private final Map<Class<?>, Function<Object, CompletableFuture<?>>> answers = new ConcurrentHashMap<>();
    private volatile ClusterImage image = image();

    /// Says how messages and commands of a class are answered from now on.
    <Q> void answer(Class<Q> asked, Function<Q, Object> how) {
        answers.put(asked, question -> CompletableFuture.completedFuture(how.apply(asked.cast(question))));
    }

    /// Says that messages and commands of a class fail from now on.
    void fail(Class<?> asked, Throwable failure) {
        answers.put(asked, _ -> CompletableFuture.failedFuture(failure));
    }

    void reset() {
        answers.clear();
        commands.clear();
        image = image();
    }

    /// Where the HTTP address of broker 0 is from now on.
    void serveHttpAt(String root) {
        var broker = image.broker(0).orElseThrow();
        image = image.with(image.nodes().with(new NodeImage(Role.BROKER, 0, broker.epoch(), broker.endpoints(), null,
                root,
                "0.1.0", NodeState.ACTIVE)));
    }

    void add(TopicImage topic) {
        image = image.with(image.topics().with(topic));
    }

    void remove(String topic) {
        image.topic(topic).ifPresent(found -> image = image.with(image.topics().without(found.id())));
    }

    void add(ShardKind kind, ShardImage shard) {
        image = image.with(kind, image.shards(kind).with(shard));
    }

    /// That controller has the office from now on; -1: nobody.
    void elect(int controller, int epoch) {
        image = image.withController(controller).at(new MetadataVersion(epoch, 1));
    }

    void addBroker(int id) {
        image = image.with(image.nodes().with(node(Role.BROKER, id, 9092 + id)));
    }

    /// Takes over settings as the controller would.
    void set(AlterConfigs command) {
        command.alterations().forEach(alteration -> {
            var values = new HashMap<>(image.configs().of(alteration.resource()));
            alteration.ops().forEach(op -> {
                if (op.value() == null) {
                    values.remove(op.key());
                } else {
                    values.put(op.key(), op.value());
                }
            });
            image = image.with(image.configs().with(alteration.resource(), values));
        });
    }

    /// While `meanwhile` is done, the service has just begun and knows nothing of the cluster.
    void unheardOf(Runnable meanwhile) {
        var known = image;
        image = ClusterImage.EMPTY;
        meanwhile.run();
        image = known;
    }

    Cluster cluster() {
        return new Cluster(() -> image, this, this, Duration.ofSeconds(5), () -> 0);
    }

    static PartitionImage partition(int number, int leader) {
        return new PartitionImage(number, List.of(0), List.of(0), List.of(), List.of(), leader, 3, 4);
    }

    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        commands.add(command);
        return answered(command);
    }

    @Override
    public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout) {
        return answered(request);
    }

    @Override
    public void close() {}

    @SuppressWarnings("unchecked") // a test that answers with another type sees the ClassCastException
    private <R> CompletableFuture<R> answered(Object question) {
        var how = answers.get(question.getClass());
        return how == null
                ? CompletableFuture.failedFuture(new IllegalStateException("no answer to " + question))
                : (CompletableFuture<R>) how.apply(question);
    }

    private static ClusterImage image() {
        var image = ClusterImage.EMPTY.with(ID).withController(7).at(new MetadataVersion(2, 30));
        var nodes = image.nodes().with(node(Role.BROKER, 0, 9092)).with(node(Role.COORDINATOR, 1000, 9093));
        var orders = TopicImage.of("orders", ORDERS).with(partition(0, 0)).with(partition(1, -1));
        var groups = TopicImage.of(ShardKind.GROUP.topic(), new UUID(1, 3)).with(partition(0, 0));
        return image.with(nodes).with(image.topics().with(orders).with(groups))
                .with(image.configs().with(ConfigResource.topic("orders"), Map.of("retention.ms", "1000")))
                .with(ShardKind.GROUP, image.groupShards().with(new ShardImage(0, 1000, 1)));
    }

    private static NodeImage node(Role role, int id, int port) {
        return new NodeImage(role, id, 99, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "127.0.0.1", port)), null,
                "http://127.0.0.1:80" + id, "0.1.0", NodeState.ACTIVE);
    }
}
