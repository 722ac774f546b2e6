package io.millrace.broker.partition;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.broker.partition.ReplicaRole.Offline;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.service.metrics.ManyGauges;
import io.millrace.service.metrics.ManyGauges.Family;
import io.millrace.service.metrics.ManyGauges.Identity;

/// `kafka.server.replicamanager.*`, `kafka.cluster.partition.*`, `kafka.log.log.*` and `millrace.partition.*`: what is on this
/// broker. Gauges are counted when someone looks.
public final class ReplicaMetrics {
    private static final String REPLICAS = "kafka.server.replicamanager.";

    private final MeterRegistry registry;
    /// Who else has a replica of a partition.
    private final Map<Partition, List<Integer>> others = new ConcurrentHashMap<>();
    private final Counter shrinks;
    private final Counter expands;
    private final Counter failedUpdates;

    private record Follower(Partition partition, int id) {
        List<String> labels() {
            return List.of(partition.id().topic(), Integer.toString(partition.id().partition()), Integer.toString(id));
        }

        double logEndOffset() {
            return partition.logEndOffsetOf(id);
        }
    }

    /// @param clock of the batches' times
    /// @param lateAfter how old an open transaction is that its coordinator should have ended
    public ReplicaMetrics(MeterRegistry registry, PartitionRegistry partitions, Clock clock, Duration lateAfter) {
        this.registry = registry;
        shrinks = Counter.builder(REPLICAS + "isrshrinks").register(registry);
        expands = Counter.builder(REPLICAS + "isrexpands").register(registry);
        failedUpdates = Counter.builder(REPLICAS + "failedisrupdates").register(registry);
        ManyGauges.tell(registry, "partitions", partitions::all, new Identity<>(List.of("topic", "partition"),
                partition -> labels(partition.id())), ofPartitions());
        ManyGauges.tell(registry, "followers", this::followers, new Identity<>(List.of("topic", "partition",
                "follower"), Follower::labels), List.of(new Family<>("millrace.partition.follower.log.end.offset",
                        "how far a follower is", Follower::logEndOffset)));
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

    private static List<String> labels(PartitionId id) {
        return List.of(id.topic(), Integer.toString(id.partition()));
    }

    private static List<Family<Partition>> ofPartitions() {
        return List.of(new Family<>("kafka.cluster.partition.underminisr", "1 while it has too few replicas in sync",
                partition -> partition.underMinIsr() ? 1 : 0), new Family<>("kafka.cluster.partition.atminisr",
                        "1 while it has just enough replicas in sync", partition -> partition.atMinIsr() ? 1 : 0),
                new Family<>("kafka.cluster.partition.laststableoffsetlag", "offsets that open transactions hold back",
                        Partition::lastStableOffsetLag), ofLog("kafka.log.log.size", "bytes", PartitionLog::sizeBytes),
                ofLog("kafka.log.log.logstartoffset", "first offset", PartitionLog::logStartOffset), ofLog(
                        "kafka.log.log.logendoffset", "next offset", PartitionLog::logEndOffset), ofLog(
                                "kafka.log.log.numlogsegments", "segments", PartitionLog::segmentCount), ofLog(
                                        "millrace.partition.high.watermark", "below it everything is replicated",
                                        PartitionLog::highWatermark));
    }

    private static Family<Partition> ofLog(String name, String help, ToDoubleFunction<PartitionLog> value) {
        return new Family<>(name, help, partition -> {
            var log = partition.log();
            return log == null ? Double.NaN : value.applyAsDouble(log);
        });
    }

    private List<Follower> followers() {
        var all = new ArrayList<Follower>();
        others.forEach((partition, ids) -> ids.forEach(id -> all.add(new Follower(partition, id))));
        return all;
    }

    /// Shows how far those followers are, while this broker leads.
    void assigned(Partition partition, List<Integer> followers) {
        others.put(partition, followers);
    }

    void removed(Partition partition) {
        others.remove(partition);
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
}
