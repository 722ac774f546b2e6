package io.millrace.coordinator.lag;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.millrace.coordinator.lag.Lags.Lag;

/// The gauges of lag, under the names of the two exporters that people use for it (kafka_exporter, kafka-lag-exporter). Those of groups, topics and partitions that are
/// gone go with the next round.
final class LagMetrics {
    private final int most;
    private final Supplier<String> clusterId;
    private final MultiGauge lags;
    private final MultiGauge offsets;
    private final MultiGauge groupLags;
    private final MultiGauge groupSeconds;
    private final MultiGauge groupOffsets;
    private final MultiGauge sums;
    private final MultiGauge mostLags;
    private final MultiGauge mostSeconds;
    private final AtomicInteger left = new AtomicInteger();

    /// @param most series of each gauge; a coordinator with more tells of the rest only how many there are
    /// @param clusterId of the newest image
    LagMetrics(MeterRegistry meters, int most, Supplier<String> clusterId) {
        this.most = most;
        this.clusterId = clusterId;
        lags = MultiGauge.builder("kafka.consumergroup.lag").register(meters);
        offsets = MultiGauge.builder("kafka.consumergroup.current.offset").register(meters);
        groupLags = MultiGauge.builder("kafka.consumergroup.group.lag").register(meters);
        groupSeconds = MultiGauge.builder("kafka.consumergroup.group.lag.seconds").register(meters);
        groupOffsets = MultiGauge.builder("kafka.consumergroup.group.offset").register(meters);
        sums = MultiGauge.builder("kafka.consumergroup.group.sum.lag").register(meters);
        mostLags = MultiGauge.builder("kafka.consumergroup.group.max.lag").register(meters);
        mostSeconds = MultiGauge.builder("kafka.consumergroup.group.max.lag.seconds").register(meters);
        meters.gauge("millrace.coordinator.lag.untold", left);
    }

    /// Tells these, and nothing of what was told before.
    void tell(List<Lag> found) {
        left.set(Math.max(0, found.size() - most));
        var told = found.subList(0, Math.min(most, found.size()));
        lags.register(told.stream().map(lag -> Row.of(tags(lag), lag.lag())).toList(), true);
        offsets.register(told.stream().map(lag -> Row.of(tags(lag), lag.committed().offset())).toList(), true);
        tellByGroup(told);
    }

    /// What the second exporter calls the same, and what it adds up.
    private void tellByGroup(List<Lag> told) {
        groupLags.register(told.stream().map(lag -> Row.of(groupTags(lag), lag.lag())).toList(), true);
        groupOffsets.register(told.stream().map(lag -> Row.of(groupTags(lag), lag.committed().offset())).toList(),
                true);
        groupSeconds.register(told.stream().filter(lag -> lag.seconds().isPresent()).map(lag -> Row.of(groupTags(lag),
                lag.seconds().orElseThrow())).toList(), true);
        var byGroup = told.stream().collect(Collectors.groupingBy(lag -> lag.committed().group()));
        sums.register(byGroup.entrySet().stream().map(group -> Row.of(groupTags(group.getKey()), group.getValue()
                .stream().mapToLong(Lag::lag).sum())).toList(), true);
        mostLags.register(byGroup.entrySet().stream().map(group -> Row.of(groupTags(group.getKey()), group.getValue()
                .stream().mapToLong(Lag::lag).max().orElse(0))).toList(), true);
        mostSeconds.register(byGroup.entrySet().stream().flatMap(group -> group.getValue().stream().flatMapToDouble(
                lag -> lag.seconds().stream()).max().stream().mapToObj(seconds -> Row.of(groupTags(group.getKey()),
                        seconds))).toList(), true);
    }

    private Tags groupTags(String group) {
        return Tags.of("cluster_name", clusterId.get(), "group", group);
    }

    private Tags groupTags(Lag lag) {
        var partition = lag.committed().partition();
        return groupTags(lag.committed().group()).and("topic", partition.topic(), "partition", String.valueOf(partition
                .partition()));
    }

    private static Tags tags(Lag lag) {
        var partition = lag.committed().partition();
        return Tags.of("consumergroup", lag.committed().group(), "topic", partition.topic(), "partition", String
                .valueOf(partition.partition()));
    }
}
