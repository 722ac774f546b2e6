package io.millrace.broker.replication;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.replication.LeaderFetcher.Identity;
import io.millrace.service.metrics.ManyGauges;
import io.millrace.service.metrics.ManyGauges.Family;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// What fetchers count and say: `kafka.server.replicafetchermanager.*`, `kafka.server.fetcherlagmetrics.*` and ours. Any
/// thread. Gauges are counted when someone looks.
@Slf4j
final class FollowerMetrics {
    private static final String MANAGER = "kafka.server.replicafetchermanager.";
    private static final String CLIENT = "Replica";
    /// A leader that is just changing refuses a few times; only what lasts longer is worth a line.
    private static final int FAILURES_TO_SAY = 6;
    private static final int RATE_WINDOWS = 60;

    private final Ticker ticker;
    private final Counter bytesIn;
    private final Counter reassignmentBytesIn;
    private final Counter errors;
    private final Counter repairs;
    private final Counter cutBelowHighWatermark;
    private final Map<FollowedPartition, Identity> followed = new ConcurrentHashMap<>();
    private final Set<FollowedPartition> failed = ConcurrentHashMap.newKeySet();

    /// @param fetchers as they are now
    FollowerMetrics(MeterRegistry registry, Ticker ticker, Collection<LeaderFetcher> fetchers) {
        this.ticker = ticker;
        bytesIn = Counter.builder("kafka.server.brokertopicmetrics.replicationbytesin").register(registry);
        reassignmentBytesIn = Counter.builder("kafka.server.brokertopicmetrics.reassignmentbytesin").register(registry);
        errors = Counter.builder("millrace.replication.errors").register(registry);
        cutBelowHighWatermark = Counter.builder("millrace.replication.truncations.below.high.watermark").register(
                registry);
        repairs = Counter.builder("millrace.replication.truncations").register(registry);
        ManyGauges.tell(registry, "replicas followed", followed::entrySet, new ManyGauges.Identity<>(List.of("clientId",
                "topic", "partition"), FollowerMetrics::labels), List.of(new Family<>(
                        "kafka.server.fetcherlagmetrics.consumerlag", "records by which a follower is behind",
                        entry -> entry.getKey().lag())));
        Gauge.builder(MANAGER + "maxlag", followed.keySet(), all -> all.stream().mapToLong(FollowedPartition::lag).max()
                .orElse(0)).tag("clientId", CLIENT).register(registry);
        Gauge.builder(MANAGER + "minfetchrate", fetchers, all -> all.stream().mapToDouble(LeaderFetcher::requestRate)
                .min().orElse(0)).tag("clientId", CLIENT).register(registry);
        Gauge.builder(MANAGER + "failedpartitionscount", failed, Set::size).tag("clientId", CLIENT).register(registry);
    }

    /// For one fetcher: what the slowest has done in the last minute is shown.
    WindowedRate requests() {
        return new WindowedRate(ticker, RATE_WINDOWS, Duration.ofSeconds(1));
    }

    void added(FollowedPartition partition, Identity fetcher) {
        followed.put(partition, fetcher);
    }

    private static List<String> labels(Map.Entry<FollowedPartition, Identity> entry) {
        var id = entry.getKey().partition().id();
        var fetcher = entry.getValue();
        return List.of("ReplicaFetcherThread-" + fetcher.number() + "-" + fetcher.leader(), id.topic(), Integer
                .toString(
                        id.partition()));
    }

    void removed(FollowedPartition partition) {
        failed.remove(partition);
        followed.remove(partition);
    }

    void appended(FollowedPartition partition, int bytes) {
        bytesIn.increment(bytes);
        if (partition.partition().isComing()) {
            reassignmentBytesIn.increment(bytes);
        }
    }

    void repaired() {
        repairs.increment();
    }

    /// @param replicated how far a log was cut below what counted as replicated; not positive where it was not
    void cut(long replicated) {
        if (replicated > 0) {
            cutBelowHighWatermark.increment();
        }
    }

    /// @param inARow how often it failed since it last succeeded
    void delayed(FollowedPartition partition, Errors error, String reason, int inARow) {
        errors.increment();
        if (inARow == FAILURES_TO_SAY || (inARow == 1 && error == Errors.CORRUPT_MESSAGE)) {
            log.warn("partition is not replicated partition={} error={} reason=\"{}\" failures={}", partition, error,
                    reason, inARow);
        } else {
            log.debug("fetch of a partition failed partition={} error={} reason=\"{}\" failures={}", partition, error,
                    reason, inARow);
        }
    }

    /// @param failures how many came before
    void recovered(FollowedPartition partition, int failures) {
        if (failures >= FAILURES_TO_SAY) {
            log.info("partition is replicated again partition={} failures={}", partition, failures);
        }
    }

    void failed(FollowedPartition partition, String reason) {
        if (failed.add(partition)) {
            log.error("partition is not replicated any more, its log failed partition={} reason=\"{}\"", partition,
                    reason);
        }
    }
}
