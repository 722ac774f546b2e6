package io.millrace.coordinator.lag;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.millrace.coordinator.lag.Lags.Lag;

/// The gauges of lag, under the names of the exporters that people use for it. Those of groups, topics and partitions that are
/// gone go with the next round.
final class LagMetrics {
    private final int most;
    private final MultiGauge lags;
    private final MultiGauge offsets;
    private final AtomicInteger left = new AtomicInteger();

    /// @param most series of each gauge; a coordinator with more tells of the rest only how many there are
    LagMetrics(MeterRegistry meters, int most) {
        this.most = most;
        lags = MultiGauge.builder("kafka.consumergroup.lag").register(meters);
        offsets = MultiGauge.builder("kafka.consumergroup.current.offset").register(meters);
        meters.gauge("millrace.coordinator.lag.untold", left);
    }

    /// Tells these, and nothing of what was told before.
    void tell(List<Lag> found) {
        left.set(Math.max(0, found.size() - most));
        var told = found.subList(0, Math.min(most, found.size()));
        lags.register(told.stream().map(lag -> Row.of(tags(lag), lag.lag())).toList(), true);
        offsets.register(told.stream().map(lag -> Row.of(tags(lag), lag.committed().offset())).toList(), true);
    }

    private static Tags tags(Lag lag) {
        var partition = lag.committed().partition();
        return Tags.of("consumergroup", lag.committed().group(), "topic", partition.topic(), "partition", String
                .valueOf(partition.partition()));
    }
}
