package io.millrace.broker;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.broker.replication.NodeChannels;
import io.millrace.broker.transaction.NodeCoordinators;
import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.Changes;
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
import io.millrace.metadata.stream.StreamListener;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.protocol.SharedHandlers;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.server.KafkaServer;
import io.millrace.wire.server.ListenerConfig;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/// A broker on real files and a real socket, whose cluster is an image that the test makes.
final class TestBroker implements AutoCloseable {
    static final int ID = 1;
    private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final int SECOND_BROKER = 2;

    private final Path directory;
    private final Map<String, String> settings = new HashMap<>();
    private PrometheusMeterRegistry meters = meterRegistry();
    private final LoopResources loops = LoopResources.create("test-broker", 2, true);
    private final SingleThreadLoop loop = new SingleThreadLoop("test-subscription");
    private ClusterImage image = ClusterImage.EMPTY.with(CLUSTER).at(new MetadataVersion(1, 0));
    private long shownEpoch = ID;
    /// Outlives the broker, so that no producer id is given twice.
    private final ControllerClient controller = new FakeController();
    private final CountDownLatch storageLost = new CountDownLatch(1);
    private @Nullable Running running;
    /// Of transactions; none before a test says so.
    private volatile @Nullable NodeAddress coordinator;

    private record Running(BrokerEngine engine, KafkaServer server, StreamListener stream) {}

    private TestBroker(Path directory) {
        this.directory = directory;
    }

    private static PrometheusMeterRegistry meterRegistry() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /// A running broker with its logs in `directory`.
    static TestBroker in(Path directory) throws Exception {
        return in(directory, Map.of());
    }

    /// The same with settings, by their names without `kafka.`.
    static TestBroker in(Path directory, Map<String, String> settings) throws Exception {
        var broker = new TestBroker(directory);
        broker.settings.putAll(settings);
        broker.start();
        return broker;
    }

    /// A broker of the same cluster, on a copy of the files of `other`.
    static TestBroker like(TestBroker other, Path directory) throws Exception {
        var broker = new TestBroker(directory);
        broker.image = other.image;
        broker.start();
        return broker;
    }

    /// Starts, and first gets an image from before this broker was registered and `topic` was made; then the present one, once
    /// `meanwhile` is done.
    void startBehind(String topic, Callable<?> meanwhile) throws Exception {
        var present = image;
        forget(topic);
        shownEpoch = ID - 1;
        start();
        meanwhile.call();
        shownEpoch = ID;
        show(present.with(image.nodes().with(node(ID, address().getPort(), shownEpoch))).at(image.version()));
    }

    /// Transactions are coordinated there from now on.
    void coordinatedAt(InetSocketAddress address) {
        coordinator = new NodeAddress("127.0.0.1", address.getPort());
    }

    void start() throws Exception {
        meters = meterRegistry();
        var given = new HashMap<>(settings);
        given.putIfAbsent("log.dirs", directory.toString());
        given.put("zookeeper.connect", "nowhere:2181");
        given.put("broker.id", Integer.toString(ID));
        var server = ServerSettings.of(given);
        var stream = new CompletableFuture<StreamListener>();
        var subscription = new MetadataSubscription(loop, listener -> {
            stream.complete(listener);
            return new NoStream();
        });
        var shared = SharedHandlers.of(subscription, controller, server, ID, () -> ID);
        var engine = BrokerEngine.open(new BrokerEngine.Node(ID, CLUSTER, server), new BrokerEngine.Cluster(
                subscription::image, shared, controller, () -> ID, new NodeChannels("test", loops, subscription::image,
                        "PLAINTEXT"), new NodeCoordinators(NodeClient.create("test-transactions", loops), _ -> Optional
                                .ofNullable(coordinator), _ -> Optional.ofNullable(coordinator))), BrokerEngine.Platform
                                        .real(meters, server), storageLost::countDown);
        subscription.onChange(engine.partitions());
        var kafka = KafkaServer.bind(new ListenerConfig("PLAINTEXT", "127.0.0.1", 0), loops, engine.apis(),
                new NetworkMetrics(meters));
        running = new Running(engine, kafka, stream.join());
        int port = kafka.address().getPort();
        var known = image.with(image.nodes().with(node(ID, port, shownEpoch)).with(node(SECOND_BROKER, 1,
                SECOND_BROKER)));
        image = ClusterImage.EMPTY;
        show(known);
    }

    void stop() {
        running().server().drain(Duration.ofSeconds(5));
        running().engine().close();
        running = null;
    }

    void restart() throws Exception {
        stop();
        start();
    }

    /// Makes a topic of which this broker leads every partition.
    UUID create(String topic, int partitions, Map<String, String> configs) throws Exception {
        var id = UUID.randomUUID();
        var created = TopicImage.of(topic, id);
        for (int i = 0; i < partitions; i++) {
            created = created.with(leading(i, 0, List.of(ID), List.of(ID)));
        }
        show(image.with(image.topics().with(created)).with(image.configs().with(ConfigResource.topic(topic),
                configs)));
        return id;
    }

    UUID create(String topic) throws Exception {
        return create(topic, 1, Map.of());
    }

    void delete(String topic) throws Exception {
        var id = image.topic(topic).orElseThrow().id();
        show(image.with(image.topics().without(id)));
    }

    /// Takes a topic out of the metadata while the broker is away.
    void forget(String topic) {
        image = image.with(image.topics().without(image.topic(topic).orElseThrow().id()));
    }

    /// Puts a new topic into the metadata while the broker is away.
    void remember(String topic) {
        image = image.with(image.topics().with(TopicImage.of(topic, UUID.randomUUID()).with(leading(0, 0, List.of(ID),
                List.of(ID)))));
    }

    /// Takes over what the metadata say of one partition.
    void put(String topic, PartitionImage partition) throws Exception {
        var known = image.topic(topic).orElseThrow();
        show(image.with(image.topics().with(known.with(partition))));
    }

    /// The controller knows that the topic exists, and cannot read more of it.
    void becomeUnreadable(String topic) throws Exception {
        show(image.with(image.topics().with(TopicImage.of(topic, image.topic(topic).orElseThrow().id()))));
    }

    /// Takes over what is set for all brokers while they run.
    void setForAll(Map<String, String> values) throws Exception {
        show(image.with(image.configs().with(ConfigResource.allBrokers(), values)));
    }

    void configure(ConfigResource resource, Map<String, String> values) throws Exception {
        show(image.with(image.configs().with(resource, values)));
    }

    void put(ShardImage shard) throws Exception {
        show(image.with(ShardKind.GROUP, image.groupShards().with(shard)));
    }

    static PartitionImage leading(int partition, int epoch, List<Integer> replicas, List<Integer> isr) {
        return new PartitionImage(partition, replicas, isr, List.of(), List.of(), ID, epoch, epoch);
    }

    static PartitionImage ledByAnother(int partition, int epoch) {
        return new PartitionImage(partition, List.of(SECOND_BROKER, ID), List.of(SECOND_BROKER), List.of(), List.of(),
                SECOND_BROKER, epoch, epoch);
    }

    static PartitionImage elsewhere(int partition, int epoch) {
        return new PartitionImage(partition, List.of(SECOND_BROKER), List.of(SECOND_BROKER), List.of(), List.of(),
                SECOND_BROKER, epoch, epoch);
    }

    InetSocketAddress address() {
        return running().server().address();
    }

    String bootstrap() {
        return "127.0.0.1:" + address().getPort();
    }

    RawConnection connect() throws IOException {
        return new RawConnection(address());
    }

    PrometheusMeterRegistry meters() {
        return meters;
    }

    @Override
    public void close() {
        if (running != null) {
            stop();
        }
        loop.close();
        loops.dispose();
    }

    private Running running() {
        if (running == null) {
            throw new IllegalStateException("the broker is stopped");
        }
        return running;
    }

    private void show(ClusterImage wanted) throws Exception {
        var before = image;
        var after = wanted.at(wanted.version().next());
        var applied = CompletableFuture.supplyAsync(() -> running().stream().apply(before, after, Changes.between(
                before,
                after)), loop).thenCompose(done -> done);
        applied.get(30, SECONDS);
        image = after;
    }

    private static NodeImage node(int id, int port, long epoch) {
        return new NodeImage(Role.BROKER, id, epoch, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "127.0.0.1", port)),
                null, null, "", NodeState.ACTIVE);
    }

    private static final class NoStream implements MetadataSubscription.Upstream {
        @Override
        public void start() {
            // The test tells the images itself.
        }

        @Override
        public void reconnect(String reason) {
            // There is nobody to connect to.
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }

    /// Gives out producer ids and knows nothing else.
    private static final class FakeController implements ControllerClient {
        private long next = 1000;

        @Override
        public synchronized <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            if (command instanceof AllocateProducerIds) {
                next += 1000;
                return CompletableFuture.completedFuture(command.resultType().cast(new AllocateProducerIds.ProducerIds(
                        next,
                        1000)));
            }
            return CompletableFuture.failedFuture(new UnsupportedOperationException(command.toString()));
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
