package io.millrace.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.admin.AlterReplicaLogDirsHandler;
import io.millrace.broker.admin.LogDirsHandler;
import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.directories.Cleaning;
import io.millrace.broker.directories.DirectoryFailures;
import io.millrace.broker.directories.LogDirectories;
import io.millrace.broker.directories.Maintenance;
import io.millrace.broker.directories.Recovery;
import io.millrace.broker.directories.Workers;
import io.millrace.broker.fetch.ClosestReplica;
import io.millrace.broker.fetch.FetchHandler;
import io.millrace.broker.isr.IsrChecks;
import io.millrace.broker.isr.IsrProposals;
import io.millrace.broker.isr.LiveBrokers;
import io.millrace.broker.offsets.DeleteRecordsHandler;
import io.millrace.broker.offsets.LeaderEpochHandler;
import io.millrace.broker.offsets.ListOffsetsHandler;
import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderContext;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.PartitionApplier;
import io.millrace.broker.partition.PartitionApplier.TopicRules;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReplicaFacts;
import io.millrace.broker.partition.ReplicaMetrics;
import io.millrace.broker.produce.LongChecks;
import io.millrace.broker.produce.ProduceHandler;
import io.millrace.broker.produce.ReplicationWaits;
import io.millrace.broker.replication.LeaderChannel;
import io.millrace.broker.replication.Replication;
import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.broker.transaction.DescribeProducersHandler;
import io.millrace.broker.transaction.TransactionChecks;
import io.millrace.broker.transaction.WriteTxnMarkersHandler;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.disk.CappedDisk;
import io.millrace.log.disk.Disk;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.service.config.LiveSettings;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.config.TopicSettings;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.subscription.ImageListener;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.VersionTable;
import lombok.extern.slf4j.Slf4j;

/// A broker without Spring, ZooKeeper and sockets: log directories, partitions, and the handlers in front of them. It is
/// told what the cluster looks like, and serves what is placed on it.
@Slf4j
public final class BrokerEngine implements AutoCloseable {
    private static final int MOST_WAITING = 100_000;
    /// Half of what Linux gives a process (`vm.max_map_count`).
    private static final int MOST_MAPS = 32_768;
    /// Of batches that wait to be decompressed or compressed: an eighth of the heap, 128 MiB at most.
    private static final long MOST_KEPT_BYTES = Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8);
    /// What a coordinator may need beyond a transaction's time to end it, as Kafka has it.
    private static final Duration LATE_TRANSACTION = Duration.ofMinutes(5);

    private final Storage storage;
    private final PartitionApplier applier;
    private final IsrChecks isrChecks;
    private final Replication replication;
    private final PartitionRegistry partitions;
    private final ApiRegistry apis;
    private final CoordinatorChannel coordinators;

    /// Who this broker is.
    public record Node(int id, String clusterId, ServerSettings settings) {}

    /// What it knows of the cluster besides what it is told.
    ///
    /// @param images the newest image
    /// @param shared handlers of the APIs that brokers and coordinators serve alike
    /// @param controller takes what the leaders here propose
    /// @param brokerEpoch of this broker's registration as it is now
    /// @param leaders the ways to the leaders that it follows
    /// @param coordinators the way to those of transactions; closed with the engine
    public record Cluster(Supplier<ClusterImage> images, List<? extends ApiHandler<?, ?>> shared,
            ControllerClient controller, LongSupplier brokerEpoch, LeaderChannel.Opener leaders,
            CoordinatorChannel coordinators) {}

    /// What it runs on.
    ///
    /// @param workers closed with the engine
    /// @param random for the ids of sessions
    public record Platform(MeterRegistry meters, Clock clock, Ticker ticker, Disk disk, Workers workers,
            RandomGenerator random) {
        /// This process and its machine.
        static Platform real(MeterRegistry meters, ServerSettings settings) {
            int threads = settings.getInt("background.threads") + Cleaning.threads(settings);
            return new Platform(meters, Clock.systemUTC(), Ticker.SYSTEM, Disk.FILES, Workers.threads(threads),
                    new SecureRandom());
        }
    }

    private record Storage(Workers workers, LogDirectories directories, Maintenance maintenance,
            Cleaning cleaning) {
        BlockingWork work() {
            return workers.work();
        }
    }

    /// Opens the log directories, repairs what a crash has left, and starts the work on logs. Blocks for as long as that
    /// takes.
    ///
    /// @param onStorageLost called once the last log directory failed; must not block
    /// @throws io.millrace.service.lifecycle.StartRefused where a directory cannot be had
    public static BrokerEngine open(Node node, Cluster cluster, Platform platform, Runnable onStorageLost)
            throws IOException {
        var workers = platform.workers();
        var failures = new DirectoryFailures(workers.work());
        try {
            var closest = closest(node, cluster);
            var directories = openDirectories(node, live(node, cluster), platform, failures);
            var maintenance = new Maintenance(directories);
            failures.onFailure(_ -> {
                if (failures.count() == directories.directories().size() + directories.missing().size()) {
                    log.error("every log directory failed broker={}", node.id());
                    onStorageLost.run();
                }
            });
            maintenance.start(workers.work(), intervals(node.settings()));
            var cleaning = new Cleaning(directories, node.settings(), platform.meters(), platform.clock(), platform
                    .ticker());
            cleaning.start(workers.work());
            return new BrokerEngine(node, cluster, platform, new Storage(workers, directories, maintenance, cleaning),
                    failures, closest);
        } catch (IOException | RuntimeException refused) {
            workers.close();
            throw refused;
        }
    }

    private BrokerEngine(Node node, Cluster cluster, Platform platform, Storage storage, DirectoryFailures failures,
            ClosestReplica closest) {
        this.storage = storage;
        coordinators = cluster.coordinators();
        partitions = new PartitionRegistry(cluster.images());
        var topicMetrics = new BrokerTopicMetrics(platform.meters());
        var hints = new LeaderHints(cluster.images());
        var replicaMetrics = new ReplicaMetrics(platform.meters(), partitions, platform.clock(), Duration.ofMillis(node
                .settings().getInt("transaction.max.timeout.ms")).plus(LATE_TRANSACTION));
        var lagTimeMax = Duration.ofMillis(node.settings().getLong("replica.lag.time.max.ms"));
        var loop = storage.workers().loop();
        replication = new Replication(node.id(), node.settings(), new Replication.Means(cluster.leaders(), cluster
                .controller(), cluster.brokerEpoch(), storage.work(), loop), platform.meters(), platform.ticker());
        var proposals = new IsrProposals(node.id(), cluster.brokerEpoch(), cluster.controller(), loop, platform
                .random(), replicaMetrics.failedIsrUpdates());
        var leaders = new LeaderContext(node.id(), platform.ticker(), lagTimeMax, new LiveBrokers(cluster.images()),
                proposals::submit, replicaMetrics::roleChanged);
        isrChecks = new IsrChecks(partitions::all, loop, lagTimeMax);
        isrChecks.start();
        applier = new PartitionApplier(partitions, storage.directories(), rules(live(node, cluster)),
                new PartitionApplier.Meters(topicMetrics, replicaMetrics), new PartitionApplier.Executors(storage
                        .workers().applier(), storage.workers().openers()), new PartitionApplier.Replicas(
                                replication, leaders, cluster.brokerEpoch()));
        failures.onFailure(applier::directoryFailed);
        Gauge.builder("kafka.log.logmanager.offlinelogdirectorycount", failures, DirectoryFailures::count)
                .register(platform.meters());
        apis = ApiRegistry.of(VersionTable.MILLRACE, handlers(node, cluster, platform, partitions, topicMetrics,
                hints, closest));
    }

    private List<ApiHandler<?, ?>> handlers(Node node, Cluster cluster, Platform platform, PartitionRegistry partitions,
            BrokerTopicMetrics topicMetrics, LeaderHints hints, ClosestReplica closest) {
        var settings = node.settings();
        var waits = new ReplicationWaits(MOST_WAITING);
        Gauge.builder("kafka.server.delayedoperationpurgatory.purgatorysize", waits, ReplicationWaits::count)
                .tag("delayedOperation", "Produce")
                .register(platform.meters());
        var limits = new FetchHandler.Limits(settings.getInt("fetch.max.bytes"), settings.getInt(
                "max.incremental.fetch.session.cache.slots"), MOST_WAITING);
        var work = storage.work();
        var handlers = new ArrayList<ApiHandler<?, ?>>(cluster.shared());
        handlers.add(new ProduceHandler(partitions, topicMetrics, hints, waits, checks(node, cluster, platform),
                new LongChecks(work, MOST_KEPT_BYTES, platform.meters())));
        handlers.add(new WriteTxnMarkersHandler(partitions, cluster.coordinators(), platform.clock(), Duration.ofMillis(
                settings.getInt(
                        "request.timeout.ms"))));
        handlers.add(new DescribeProducersHandler(partitions));
        handlers.add(new FetchHandler(partitions, topicMetrics, new FetchHandler.Cluster(hints, broker -> epochOf(
                broker,
                cluster), replication.leaderThrottle(), closest), limits, platform.meters(), platform.ticker(), platform
                        .random()));
        handlers.add(new ListOffsetsHandler(partitions, work));
        handlers.add(new LeaderEpochHandler(partitions));
        handlers.add(new DeleteRecordsHandler(partitions, work));
        handlers.add(new LogDirsHandler(storage.directories(), work));
        handlers.add(new AlterReplicaLogDirsHandler(storage.directories(), work));
        return handlers;
    }

    private static TransactionChecks checks(Node node, Cluster cluster, Platform platform) {
        var live = live(node, cluster);
        return new TransactionChecks(cluster.coordinators(), () -> live.get().getBoolean(
                "transaction.partition.verification.enable"), platform.ticker(), platform.meters());
    }

    private static ClosestReplica closest(Node node, Cluster cluster) {
        var rule = node.settings().findString("replica.selector.class").orElse(ClosestReplica.LEADER);
        return switch (rule) {
            case ClosestReplica.LEADER -> ClosestReplica.NONE;
            case ClosestReplica.BY_RACK -> ClosestReplica.byRack(node.id(), cluster.images());
            default -> throw new StartRefused("kafka.replica.selector.class: %s; known are %s and %s".formatted(rule,
                    ClosestReplica.BY_RACK, ClosestReplica.LEADER));
        };
    }

    private static long epochOf(int broker, Cluster cluster) {
        return cluster.images().get().broker(broker).map(NodeImage::epoch).orElse(-1L);
    }

    private static LogDirectories openDirectories(Node node, LiveSettings live, Platform platform,
            DirectoryFailures failures) throws IOException {
        var settings = node.settings();
        var disk = new CappedDisk(platform.disk(), settings.getInt("log.open.files.max"), MOST_MAPS);
        Gauge.builder("millrace.log.open.files", disk, CappedDisk::openFiles).register(platform.meters());
        Gauge.builder("millrace.log.mapped.files", disk, capped -> capped.maps().taken()).register(platform.meters());
        var runtime = new LogRuntime(disk, platform.clock(), platform.ticker(), platform.workers().work(),
                new LogMetrics(platform
                        .meters()), failures, () -> Duration.ofMillis(live.get().getLong("producer.id.expiration.ms")),
                settings.getString("log.flush.mode").equals("group-commit"));
        var paths = settings.logDirs().stream().map(directory -> Path.of(directory).toAbsolutePath()).toList();
        var directories = LogDirectories.open(paths, new Identity(node.clusterId(), node.id()), runtime, failures,
                () -> live.get().getLong("replica.alter.log.dirs.io.max.bytes.per.second"));
        try {
            directories.recover(new Recovery(settings.getInt("num.recovery.threads.per.data.dir"), platform.workers()
                    .recovery(), platform.meters()), rules(() -> settings).apply(Map.of()).log());
            return directories;
        } catch (IOException | RuntimeException failure) {
            directories.close();
            throw failure;
        }
    }

    private static Maintenance.Intervals intervals(ServerSettings settings) {
        return new Maintenance.Intervals(Duration.ofMillis(settings.getLong("log.retention.check.interval.ms")),
                Duration.ofMillis(Math.max(1, Math.min(settings.getLong(
                        "replica.high.watermark.checkpoint.interval.ms"), settings.getLong(
                                "log.flush.offset.checkpoint.interval.ms")))));
    }

    private static LiveSettings live(Node node, Cluster cluster) {
        return new LiveSettings(node.id(), cluster.images(), node.settings());
    }

    private static Function<Map<String, String>, TopicRules> rules(Supplier<ServerSettings> server) {
        return overrides -> {
            var settings = TopicSettings.resolve(overrides, server.get());
            return new TopicRules(LogConfig.of(settings.values()), settings.getInt("min.insync.replicas"));
        };
    }

    /// What follows the metadata.
    public ImageListener partitions() {
        return (before, after, changes) -> {
            replication.imageComes(after, changes);
            return applier.apply(before, after, changes);
        };
    }

    /// The directories that it writes to.
    public LogDirectories directories() {
        return storage.directories();
    }

    /// Where the replicas of a partition are.
    ///
    /// @throws io.millrace.wire.error.Refused where this broker does not lead it
    public ReplicaFacts replicas(String topic, int partition) {
        return partitions.find(topic, partition).asLeader().replicas();
    }

    /// The partitions that are here.
    public PartitionRegistry registry() {
        return partitions;
    }

    /// What its listeners serve.
    public ApiRegistry apis() {
        return apis;
    }

    /// Follows nobody any more; for those who cannot wait in [#close] until it is so. Any thread.
    ///
    /// @return completed once nothing is appended for a leader any more
    public CompletableFuture<Void> stopFollowing() {
        return replication.stop();
    }

    /// Closes the logs, so that the next start has nothing to repair; to be called once nothing is served any more.
    /// Blocks.
    @Override
    public void close() {
        isrChecks.close();
        replication.close();
        coordinators.close();
        storage.maintenance().close();
        storage.cleaning().close();
        storage.workers().applier().close();
        storage.directories().closeLogs(storage.workers().recovery());
        storage.directories().close();
        storage.workers().close();
    }
}
