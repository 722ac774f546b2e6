package io.millrace.broker;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.broker.replication.NodeChannels;
import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.Batches;
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
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.protocol.SharedHandlers;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.server.KafkaServer;
import io.millrace.wire.server.ListenerConfig;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import reactor.netty.resources.LoopResources;

/// Several brokers on real files and real sockets, whose cluster is an image that the test makes: the test is their
/// controller.
final class TestCluster implements AutoCloseable {
    private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final int PRODUCE_VERSION = 9;

    private final Path root;
    private final Map<String, String> settings;
    private final Map<Integer, Member> members = new TreeMap<>();
    private ClusterImage image = ClusterImage.EMPTY.with(CLUSTER).at(new MetadataVersion(1, 0));
    private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();
    private CoordinatorChannel coordinators = CoordinatorChannel.NONE;
    private int lives;
    private long registrations;

    /// One life of a broker.
    private record Member(int id, Path directory, BrokerEngine engine, KafkaServer server, LoopResources loops,
            SingleThreadLoop loop, StreamListener stream, SimpleMeterRegistry meters) {}

    /// @param settings of all brokers, by their names without `kafka.`
    TestCluster(Path root, Map<String, String> settings) {
        this.root = root;
        this.settings = settings;
    }

    /// Brokers 0 to `count - 1`, running.
    static TestCluster of(Path root, int count, Map<String, String> settings) throws Exception {
        var cluster = new TestCluster(root, settings);
        for (int id = 0; id < count; id++) {
            cluster.start(id, root.resolve("broker-" + id));
        }
        return cluster;
    }

    /// The same, with that way to coordinators of transactions.
    static TestCluster of(Path root, int count, CoordinatorChannel coordinators, Map<String, String> settings)
            throws Exception {
        var cluster = new TestCluster(root, settings);
        cluster.coordinators = coordinators;
        for (int id = 0; id < count; id++) {
            cluster.start(id, root.resolve("broker-" + id));
        }
        return cluster;
    }

    private void start(int id, Path directory) throws Exception {
        var meters = new SimpleMeterRegistry();
        var given = new HashMap<>(settings);
        given.put("log.dirs", directory.toString());
        given.put("zookeeper.connect", "nowhere:2181");
        given.put("broker.id", Integer.toString(id));
        var server = ServerSettings.of(given);
        var loops = LoopResources.create("test-broker-" + id, 2, true);
        var loop = new SingleThreadLoop("test-subscription-" + id);
        var stream = new CompletableFuture<StreamListener>();
        var subscription = new MetadataSubscription(loop, listener -> {
            stream.complete(listener);
            return new NoStream();
        });
        var shared = SharedHandlers.of(subscription, new NoController(), server, id, () -> 1);
        var engine = BrokerEngine.open(new BrokerEngine.Node(id, CLUSTER, server), new BrokerEngine.Cluster(
                subscription::image, shared, new NoController(), () -> epochs.getOrDefault(id, -1L), new NodeChannels(
                        "broker-" + id, loops, subscription::image, "PLAINTEXT"), coordinators),
                BrokerEngine.Platform.real(meters,
                        server), () -> {});
        subscription.onChange(engine.partitions());
        var kafka = KafkaServer.bind(new ListenerConfig("PLAINTEXT", "127.0.0.1", 0), loops, engine.apis(),
                new NetworkMetrics(meters));
        var member = new Member(id, directory, engine, kafka, loops, loop, stream.join(), meters);
        members.put(id, member);
        long epoch = ++registrations;
        epochs.put(id, epoch);
        var known = image.with(image.nodes().with(node(id, epoch, kafka.address().getPort())));
        // It knows nothing yet, the others all but its new address.
        apply(member, ClusterImage.EMPTY, known.at(image.version()));
        show(known);
    }

    /// Ends a broker in order.
    void stop(int id) {
        var member = Objects.requireNonNull(members.remove(id));
        member.server().drain(Duration.ofSeconds(5));
        end(member);
    }

    /// Ends a broker as SIGKILL does: what it wrote stays, nothing is closed, nothing is said.
    ///
    /// @return where its files are now
    Path kill(int id) throws IOException {
        var member = Objects.requireNonNull(members.get(id));
        var copy = root.resolve("life-" + ++lives);
        try (var files = Files.walk(member.directory())) {
            for (var file : files.toList()) {
                Files.copy(file, copy.resolve(member.directory().relativize(file).toString()));
            }
        }
        stop(id);
        return copy;
    }

    private static void end(Member member) {
        member.engine().close();
        member.loop().close();
        member.loops().dispose();
    }

    /// Starts it again where it stopped.
    void restart(int id) throws Exception {
        start(id, root.resolve("broker-" + id));
    }

    /// Starts it on what [#kill] has left.
    void restart(int id, Path directory) throws Exception {
        start(id, directory);
    }

    /// Makes a topic whose every partition has those replicas, the first of which leads.
    UUID create(String topic, int partitions, Integer... replicas) throws Exception {
        var id = UUID.randomUUID();
        var created = TopicImage.of(topic, id);
        for (int i = 0; i < partitions; i++) {
            created = created.with(new PartitionImage(i, List.of(replicas), List.of(replicas), List.of(), List.of(),
                    replicas[0], 0, 0));
        }
        show(image.with(image.topics().with(created)));
        return id;
    }

    /// Takes the topic away.
    void delete(String topic) throws Exception {
        show(image.with(image.topics().without(image.topic(topic).orElseThrow().id())));
    }

    /// Gives the partition another leader, in a new leader epoch.
    void elect(String topic, int partition, int leader, Integer... isr) throws Exception {
        var known = image.topic(topic).orElseThrow();
        var before = known.partition(partition).orElseThrow();
        show(image.with(image.topics().with(known.with(new PartitionImage(partition, before.replicas(), List.of(isr),
                List.of(), List.of(), leader, before.leaderEpoch() + 1, before.partitionEpoch() + 1)))));
    }

    /// Sets dynamic configuration.
    void configure(ConfigResource resource, Map<String, String> values) throws Exception {
        show(image.with(image.configs().with(resource, values)));
    }

    /// Appends one batch at the leader.
    ///
    /// @return its base offset
    long produce(int leader, String topic, int partition, int acks, String... values) throws IOException {
        try (var connection = new RawConnection(address(leader))) {
            var answer = connection.call(io.millrace.broker.Batches.produce(topic, partition, acks,
                    io.millrace.broker.Batches.batch(values)), new ProduceResponseData(),
                    PRODUCE_VERSION).responses().iterator().next().partitionResponses().getFirst();
            if (answer.errorCode() != Errors.NONE.code()) {
                throw Errors.forCode(answer.errorCode()).exception();
            }
            return answer.baseOffset();
        }
    }

    InetSocketAddress address(int id) {
        return Objects.requireNonNull(members.get(id)).server().address();
    }

    SimpleMeterRegistry meters(int id) {
        return Objects.requireNonNull(members.get(id)).meters();
    }

    /// The log of a partition on a broker.
    PartitionLog log(int broker, String topic, int partition) {
        var directories = Objects.requireNonNull(members.get(broker)).engine().directories();
        return directories.directories().stream().map(directory -> directories.logsIn(directory).get(new PartitionId(
                topic, partition))).filter(Objects::nonNull).findAny().orElseThrow();
    }

    /// All that is in a log, byte for byte, from its start on.
    List<String> content(int broker, String topic, int partition) throws IOException {
        var log = log(broker, topic, partition);
        var found = new ArrayList<String>();
        long next = log.logStartOffset();
        while (next < log.logEndOffset()) {
            var slice = Objects.requireNonNull(log.read(next, 1 << 20, true, Long.MAX_VALUE).slice());
            try (slice) {
                var bytes = ByteBuffer.allocate(slice.size());
                while (bytes.hasRemaining() && slice.channel().read(bytes, slice.position() + bytes.position()) >= 0) {
                    // as far as it goes
                }
                for (var batch : Batches.in(bytes.flip())) {
                    found.add("%d-%d epoch=%d crc=%08x".formatted(batch.baseOffset(), batch.lastOffset(), batch
                            .leaderEpoch(), batch.crc()));
                    next = batch.lastOffset() + 1;
                }
            }
        }
        return found;
    }

    @Override
    public void close() {
        List.copyOf(members.keySet()).forEach(this::stop);
    }

    private void show(ClusterImage wanted) throws Exception {
        var before = image;
        image = wanted.at(wanted.version().next());
        for (var member : members.values()) {
            apply(member, before, image);
        }
    }

    private static void apply(Member member, ClusterImage before, ClusterImage after) throws Exception {
        CompletableFuture.supplyAsync(() -> member.stream().apply(before, after, Changes.between(before, after)), member
                .loop()).thenCompose(done -> done).get(30, SECONDS);
    }

    private static NodeImage node(int id, long epoch, int port) {
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

    private static final class NoController implements ControllerClient {
        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(command.toString()));
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
