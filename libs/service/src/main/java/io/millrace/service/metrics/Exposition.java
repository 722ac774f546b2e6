package io.millrace.service.metrics;

import java.util.function.Predicate;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.registry.PrometheusScrapeRequest;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import org.jspecify.annotations.Nullable;

/// What a scrape of a service gets: its meters, in the dialect that was asked for, with or without [ManyGauges].
final class Exposition extends PrometheusRegistry {
    private final Dialect dialect;
    private final boolean many;

    Exposition(Dialect dialect, boolean many) {
        this.dialect = dialect;
        this.many = many;
    }

    @Override
    public void register(MultiCollector collector) {
        if (many || !(collector instanceof ManyCollector)) {
            super.register(collector);
        }
    }

    @Override
    public MetricSnapshots scrape(@Nullable PrometheusScrapeRequest request) {
        return translated(super.scrape(request));
    }

    /// @param names chooses, by the names that meters have without a dialect
    @Override
    public MetricSnapshots scrape(@Nullable Predicate<String> names, @Nullable PrometheusScrapeRequest request) {
        return names == null ? scrape(request) : translated(super.scrape(names, request));
    }

    private MetricSnapshots translated(MetricSnapshots snapshots) {
        return dialect == Dialect.STRIMZI
                ? snapshots
                : new MetricSnapshots(snapshots.stream().map(dialect::translate).toList());
    }
}
