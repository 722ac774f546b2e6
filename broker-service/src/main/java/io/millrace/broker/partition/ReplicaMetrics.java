package io.millrace.broker.partition;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.broker.partition.ReplicaRole.Offline;
import io.millrace.log.PartitionLog;

/// `kafka.server.replicamanager.*`, `kafka.cluster.partition.*`, `kafka.log.log.*` and `millrace.partition.*`: what is on this
/// broker. Gauges are
/// counted when someone looks.
public final class ReplicaMetrics {
    private static final String REPLICAS = "kafka.server.replicamanager.";

    private final MeterRegistry registry;
    private final Map<Partition, List<Meter>> perPartition = new ConcurrentHashMap<>();
    private final Map<Partition, Map<Integer, Meter>> perFollower = new ConcurrentHashMap<>();
    private final Counter shrinks;
    private final Counter expands;
    private final Counter failedUpdates;

    /// @param clock of the batches' times
    /// @param lateAfter how old an open transaction is that its coordinator should have ended
    public ReplicaMetrics(MeterRegistry registry, PartitionRegistry partitions, Clock clock, Duration lateAfter) {
        this.registry = registry;
        shrinks = Counter.builder(REPLICAS + "isrshrinks").register(registry);
        expands = Counter.builder(REPLICAS + "isrexpands").register(registry);
        failedUpdates = Counter.builder(REPLICAS + "failedisrupdates").register(registry);
        count(partitions, "partitioncount", _ -> true);
        count(partitions, "leadercount", Partition::leads);
        count(partitions, "underreplicatedpartitions", Partition::underReplicated);
        count(partitions, "reassigningpartitions", Partition::reassigning);
        count(partitions, "underminisrpartitioncount", Partition::underMinIsr);
        count(partitions, "atminisrpartitioncount", Partition::atMinIsr);
        count(partitions, "partitionswithlatetransactionscount", partition -> partition.hasLateTransaction(clock
                .millis(), lateAfter));
        count(partitions, "offlinereplicacount", partition -> partition.role() instanceof Offline);
    }

    private void count(PartitionRegistry partitions, String name, Predicate<Partition> counted) {
        Gauge.builder(REPLICAS + name, partitions, all -> all.all().stream().filter(counted).count()).register(
                registry);
    }

    void added(Partition partition) {
        var meters = new java.util.ArrayList<Meter>();
        meters.add(gauge("kafka.cluster.partition.underminisr", partition, it -> it.underMinIsr() ? 1 : 0));
        meters.add(gauge("kafka.cluster.partition.atminisr", partition, it -> it.atMinIsr() ? 1 : 0));
        meters.add(gauge("kafka.cluster.partition.laststableoffsetlag", partition, Partition::lastStableOffsetLag));
        meters.add(ofLog("kafka.log.log.size", partition, PartitionLog::sizeBytes));
        meters.add(ofLog("kafka.log.log.logstartoffset", partition, PartitionLog::logStartOffset));
        meters.add(ofLog("kafka.log.log.logendoffset", partition, PartitionLog::logEndOffset));
        meters.add(ofLog("kafka.log.log.numlogsegments", partition, PartitionLog::segmentCount));
        meters.add(ofLog("millrace.partition.high.watermark", partition, PartitionLog::highWatermark));
        perPartition.put(partition, meters);
    }

    /// Shows how far those followers are, while this broker leads.
    void assigned(Partition partition, Collection<Integer> followers) {
        var shown = perFollower.computeIfAbsent(partition, _ -> new ConcurrentHashMap<>());
        shown.entrySet().removeIf(each -> !followers.contains(each.getKey()) && registry.remove(each
                .getValue()) != null);
        for (int follower : followers) {
            shown.computeIfAbsent(follower, _ -> builder("millrace.partition.follower.log.end.offset", partition,
                    it -> it.logEndOffsetOf(follower)).tag("follower", Integer.toString(follower)).register(registry));
        }
    }

    void removed(Partition partition) {
        var meters = perPartition.remove(partition);
        if (meters != null) {
            meters.forEach(registry::remove);
        }
        var followers = perFollower.remove(partition);
        if (followers != null) {
            followers.values().forEach(registry::remove);
        }
    }

    /// ISRs that were proposed and not taken over by the controller.
    public Counter failedIsrUpdates() {
        return failedUpdates;
    }

    /// Counts a change of the ISR; of no other change of a role.
    public void roleChanged(ReplicaRole before, ReplicaRole after) {
        if (before instanceof Leader was && after instanceof Leader is) {
            if (is.isr().size() < was.isr().size()) {
                shrinks.increment();
            } else if (is.isr().size() > was.isr().size()) {
                expands.increment();
            }
        }
    }

    private Meter ofLog(String name, Partition partition, ToDoubleFunction<PartitionLog> value) {
        return gauge(name, partition, it -> {
            var log = it.log();
            return log == null ? Double.NaN : value.applyAsDouble(log);
        });
    }

    private Meter gauge(String name, Partition partition, ToDoubleFunction<Partition> value) {
        return builder(name, partition, value).register(registry);
    }

    private static Gauge.Builder<Partition> builder(String name, Partition partition,
            ToDoubleFunction<Partition> value) {
        return Gauge.builder(name, partition, value)
                .tag("topic", partition.id().topic())
                .tag("partition", Integer.toString(partition.id().partition()));
    }
}
