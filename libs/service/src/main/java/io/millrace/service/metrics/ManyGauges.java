package io.millrace.service.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/// Gauges of which there is one for each of many things, such as partitions. Prometheus is told them at a scrape, and they
/// need no memory between two: ten meters for each of 10,000 partitions would take 64 MB, and five times as long.
public final class ManyGauges {

    private ManyGauges() {}

    /// One gauge of each thing.
    ///
    /// @param <T> one of the things
    /// @param name as Micrometer has it: `kafka.log.log.size`
    /// @param value now; a thing has no such series where it is NaN. Any thread
    public record Family<T>(String name, String help, ToDoubleFunction<T> value) {}

    /// How things are told apart.
    ///
    /// @param <T> one of the things
    /// @param names of labels
    /// @param values of a thing's labels, in the same order
    public record Identity<T>(List<String> names, Function<T, List<String>> values) {}

    /// Has a registry tell them, from now on; only one of Prometheus does. How many there are is `millrace.metrics.series`.
    ///
    /// @param what they are of, in the plural
    /// @param things as they are now; any thread
    public static <T> void tell(MeterRegistry registry, String what, Supplier<? extends Collection<T>> things,
            Identity<T> identity, List<Family<T>> families) {
        var count = Gauge.builder("millrace.metrics.series", () -> things.get().size() * families.size())
                .description("series that there are for each of many things")
                .tag("of", what)
                .register(registry);
        if (registry instanceof PrometheusMeterRegistry prometheus) {
            var common = count.getId().getTags().stream().filter(tag -> !tag.getKey().equals("of")).toList();
            prometheus.getPrometheusRegistry().register(new ManyCollector<>(things, identity, families, common));
        }
    }
}
