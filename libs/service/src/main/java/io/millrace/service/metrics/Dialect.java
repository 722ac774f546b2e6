package io.millrace.service.metrics;

import io.millrace.service.lifecycle.StartRefused;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;

/// Under which names Prometheus gets the beans of Kafka: two sets of rules for its JMX exporter are in wide use, and
/// dashboards know one of them.
enum Dialect {
    /// Meters as they are.
    STRIMZI {
        @Override
        MetricSnapshot translate(MetricSnapshot snapshot) {
            return snapshot;
        }
    },
    /// Rates keep the end of the bean's name and have no type: `…bytesinpersec` for `…bytesin_total`. What is of sockets
    /// is `kafka_server_socketservermetrics_…`.
    CONFLUENT {
        @Override
        MetricSnapshot translate(MetricSnapshot snapshot) {
            var name = snapshot.getMetadata().getName();
            if (name.startsWith(SOCKETS)) {
                return renamed(snapshot, "kafka_server_socketservermetrics_" + name.substring(SOCKETS.length()).replace(
                        "connections_software", "connections"));
            }
            return snapshot instanceof CounterSnapshot rate && name.startsWith("kafka_") && !name.contains(SENSORS)
                    ? untyped(rate, name + "persec")
                    : snapshot;
        }
    };

    private static final String SOCKETS = "kafka_server_socket_server_metrics_";
    /// In beans of that kind a count of events is a `…_total` in Kafka, too.
    private static final String SENSORS = "_coordinator_metrics_";

    /// The one of that name, in lower case.
    ///
    /// @throws StartRefused where there is none
    static Dialect named(String name) {
        return switch (name) {
            case "strimzi" -> STRIMZI;
            case "confluent" -> CONFLUENT;
            default -> throw new StartRefused("millrace.metrics.dialect: " + name
                    + "; known are strimzi and confluent");
        };
    }

    /// The same under the names of this dialect.
    abstract MetricSnapshot translate(MetricSnapshot snapshot);

    private static MetricSnapshot renamed(MetricSnapshot snapshot, String name) {
        var metadata = new MetricMetadata(name, snapshot.getMetadata().getHelp());
        return switch (snapshot) {
            case GaugeSnapshot gauge -> new GaugeSnapshot(metadata, gauge.getDataPoints());
            case CounterSnapshot counter -> new CounterSnapshot(metadata, counter.getDataPoints());
            default -> snapshot;
        };
    }

    private static MetricSnapshot untyped(CounterSnapshot counter, String name) {
        return new UnknownSnapshot(new MetricMetadata(name, counter.getMetadata().getHelp()), counter.getDataPoints()
                .stream().map(point -> new UnknownDataPointSnapshot(point.getValue(), point.getLabels(), null))
                .toList());
    }
}
