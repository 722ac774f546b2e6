package io.millrace.service.metrics;

import java.util.Locale;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/// Meters under Kafka's names: group, type and name of its JMX beans, in lower case and dotted, which Prometheus shows as
/// `kafka_server_brokertopicmetrics_bytesin_total`.
public final class KafkaMeters {
    private static final double[] QUANTILES = {0.5, 0.75, 0.95, 0.98, 0.99, 0.999};

    private final MeterRegistry registry;

    public KafkaMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /// The meter's name, such as `kafka.server.brokertopicmetrics.bytesin`.
    ///
    /// @param group of the bean: `kafka.server`
    /// @param type of the bean: `BrokerTopicMetrics`
    /// @param name of the bean, without `PerSec`: `BytesIn`
    public static String name(String group, String type, String name) {
        return (group + "." + type + "." + name).replace("-", ".").toLowerCase(Locale.ROOT);
    }

    /// @param tags keys and values in turn
    public Counter counter(String group, String type, String name, String... tags) {
        return Counter.builder(name(group, type, name)).tags(tags).register(registry);
    }

    /// @param value read at each scrape; keeps what it refers to alive
    /// @param tags keys and values in turn
    public Gauge gauge(String group, String type, String name, Supplier<Number> value, String... tags) {
        return Gauge.builder(name(group, type, name), value).tags(tags).register(registry);
    }

    /// With the quantiles that Kafka gives.
    ///
    /// @param tags keys and values in turn
    public DistributionSummary summary(String group, String type, String name, String... tags) {
        return DistributionSummary.builder(name(group, type, name)).publishPercentiles(QUANTILES).tags(tags)
                .register(registry);
    }

    /// Takes back a gauge whose thing is gone.
    public void remove(Gauge gauge) {
        registry.remove(gauge);
    }
}
