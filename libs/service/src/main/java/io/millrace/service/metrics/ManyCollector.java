package io.millrace.service.metrics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Tag;
import io.millrace.service.metrics.ManyGauges.Family;
import io.millrace.service.metrics.ManyGauges.Identity;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/// [ManyGauges] of one kind of things, as they are at a scrape.
final class ManyCollector<T> implements MultiCollector {
    private final Supplier<? extends Collection<T>> things;
    private final Identity<T> identity;
    private final List<Family<T>> families;
    private final List<Tag> common;
    private final List<String> labels;

    private record Row<T>(T thing, Labels labels) {}

    /// @param common tags of all meters
    ManyCollector(Supplier<? extends Collection<T>> things, Identity<T> identity, List<Family<T>> families,
            List<Tag> common) {
        this.things = things;
        this.identity = identity;
        this.families = List.copyOf(families);
        this.common = common;
        this.labels = join(identity.names(), common, Tag::getKey);
    }

    @Override
    public MetricSnapshots collect() {
        // In order, since a snapshot sorts its points: ten times what is sorted already costs nothing.
        var rows = things.get().stream().map(thing -> new Row<>(thing, Labels.of(labels, join(identity.values().apply(
                thing),
                common, Tag::getValue)))).sorted(Comparator.comparing(Row::labels)).toList();
        var snapshots = new ArrayList<MetricSnapshot>(families.size());
        for (var family : families) {
            var points = points(family, rows);
            if (!points.isEmpty()) {
                snapshots.add(new GaugeSnapshot(new MetricMetadata(family.name().replace('.', '_'), family.help()),
                        points));
            }
        }
        return new MetricSnapshots(snapshots);
    }

    private List<GaugeDataPointSnapshot> points(Family<T> family, List<Row<T>> rows) {
        var points = new ArrayList<GaugeDataPointSnapshot>(rows.size());
        for (var row : rows) {
            double value = family.value().applyAsDouble(row.thing());
            if (!Double.isNaN(value)) {
                points.add(new GaugeDataPointSnapshot(value, row.labels(), null));
            }
        }
        return points;
    }

    private static List<String> join(List<String> own, List<Tag> common, Function<Tag, String> part) {
        var all = new ArrayList<>(own);
        common.forEach(tag -> all.add(part.apply(tag)));
        return all;
    }
}
