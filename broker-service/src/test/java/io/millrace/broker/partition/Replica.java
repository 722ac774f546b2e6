package io.millrace.broker.partition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.partition.LeaderContext.Eligibility;
import io.millrace.broker.partition.ReadFrom.Source;
import io.millrace.log.AppendResult;
import io.millrace.log.LogCheckpoint;
import io.millrace.log.LogConfig;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.metadata.image.PartitionImage;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/// One broker's replica of a partition, on real files and virtual time; fetches are calls from one to the other.
public final class Replica {
    public static final Duration LAG = Duration.ofSeconds(30);
    public static final PartitionId ID = new PartitionId("t", 0);
    public static final UUID TOPIC_ID = new UUID(7, 7);

    private final int broker;
    private final SimulatedLoop loop;
    private final PartitionLog log;
    private final Partition partition;
    private final FetchTimes times;
    private final List<Partition> proposing = new ArrayList<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Eligibility eligibility = (_, _) -> true;
    private Consumer<Partition> onProposal = proposing::add;

    /// @param directory of its own
    public Replica(int broker, Path directory, SimulatedLoop loop) throws IOException {
        this.broker = broker;
        this.loop = loop;
        this.log = PartitionLog.open(directory.resolve("t-0"), LogConfig.of(Map.of()), runtime(loop),
                LogCheckpoint.NONE,
                false);
        var topics = new BrokerTopicMetrics(meters);
        var context = new LeaderContext(broker, loop.ticker(), LAG, (follower, epoch) -> eligibility.eligible(follower,
                epoch), proposed -> onProposal.accept(proposed), (_, _) -> {});
        this.partition = new Partition(ID, TOPIC_ID, topics.topic("t"), log, context);
        this.times = new FetchTimes(loop.ticker().nanos());
    }

    public Partition partition() {
        return partition;
    }

    public PartitionLog log() {
        return log;
    }

    int broker() {
        return broker;
    }

    /// Decides who may join ISRs that this broker leads.
    void eligible(Eligibility by) {
        eligibility = by;
    }

    /// Gets what its leaders propose, in place of the list that [#proposal] looks at.
    public void onProposal(Consumer<Partition> by) {
        onProposal = by;
    }

    /// The controller says so.
    public void told(int leader, int leaderEpoch, int partitionEpoch, int minIsr, List<Integer> isr,
            List<Integer> replicas) {
        partition.apply(new PartitionImage(0, replicas, isr, List.of(), List.of(), leader, leaderEpoch, partitionEpoch),
                minIsr);
    }

    /// Appends as the leader, waiting for nobody.
    public AppendResult append(String... values) {
        return partition.asLeader().append(batch(values), null, Writer.producer(TransactionTerms.FREE));
    }

    Acked appendForAll(String... values) {
        var wait = new Acked();
        partition.asLeader().append(batch(values), wait, Writer.producer(TransactionTerms.FREE));
        return wait;
    }

    /// One fetch: tells `leader` where this log ends, and appends what it has beyond, or cuts where the histories part.
    public void fetchFrom(Replica leader) {
        fetchFrom(leader, -1);
    }

    void fetchFrom(Replica leader, long brokerEpoch) {
        int leaderEpoch = partition.role().leaderEpoch();
        times.fetched(loop.ticker().nanos());
        long end = log.logEndOffset();
        int lastEpoch = end > log.logStartOffset()
                ? log.epochOf(end - 1).orElse(Partition.NO_LAST_EPOCH)
                : Partition.NO_LAST_EPOCH;
        var diverging = leader.partition.asLeader().fetched(new FollowerFetch(broker, brokerEpoch, end, log
                .logStartOffset(),
                leaderEpoch, lastEpoch, times));
        if (diverging != null) {
            partition.asFollower().truncateToDivergence(diverging, leaderEpoch);
            return;
        }
        var read = leader.partition.read(new ReadFrom(end, leaderEpoch, lastEpoch, Source.LEADER), 1 << 20, true,
                ReadLimit.LOG_END);
        partition.asFollower().append(bytes(read), leaderEpoch, read.highWatermark(), read.logStartOffset());
    }

    /// What the leader asks the controller now; null where it asks for nothing.
    @Nullable
    IsrProposal proposal() {
        return proposing.isEmpty() ? null : proposing.removeFirst().isr().proposal(100);
    }

    long highWatermark() {
        return log.highWatermark();
    }

    long end() {
        return log.logEndOffset();
    }

    /// All values in the log.
    List<String> values() {
        try {
            var read = log.read(log.logStartOffset(), Integer.MAX_VALUE, true, log.logEndOffset());
            var slice = read.slice();
            if (slice == null) {
                return List.of();
            }
            try (slice) {
                var buffer = ByteBuffer.allocate(slice.size());
                slice.channel().read(buffer, slice.position());
                var values = new ArrayList<String>();
                MemoryRecords.readableRecords(buffer.flip()).records().forEach(record -> values.add(
                        StandardCharsets.UTF_8.decode(record.value()).toString()));
                return values;
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public void close() {
        try {
            log.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static ByteBuffer batch(String... values) {
        var records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(1_000, null, values[i].getBytes(StandardCharsets.UTF_8));
        }
        return MemoryRecords.withRecords(Compression.NONE, records).buffer();
    }

    private static ByteBuffer bytes(PartitionRead read) {
        var slice = read.slice();
        if (slice == null) {
            return ByteBuffer.allocate(0);
        }
        try (slice) {
            var buffer = ByteBuffer.allocate(slice.size());
            slice.channel().read(buffer, slice.position());
            return buffer.flip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static LogRuntime runtime(SimulatedLoop loop) {
        return new LogRuntime(Disk.FILES, loop.clock(), loop.ticker(), new Background() {
            @Override
            public void execute(Runnable task) {
                loop.execute(task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                return loop.schedule(delay, task);
            }
        }, new LogMetrics(new SimpleMeterRegistry()), (_, failure) -> {
            throw new UncheckedIOException(failure);
        }, () -> Duration.ofDays(1), false);
    }
}
