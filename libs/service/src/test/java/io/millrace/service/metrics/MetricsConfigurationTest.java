package io.millrace.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.service.metrics.ManyGauges.Family;
import io.millrace.service.metrics.ManyGauges.Identity;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class MetricsConfigurationTest {
    private final List<Integer> partitions = new ArrayList<>(List.of(1, 0));

    @Test
    void eachOfManyThingsHasItsGaugesForAsLongAsItIsThere() {
        var meters = registry(Map.of());

        assertThat(meters.scrape()).contains("""
                # HELP kafka_log_log_size bytes
                # TYPE kafka_log_log_size gauge
                kafka_log_log_size{application="b",partition="0",topic="t"} 0.0
                kafka_log_log_size{application="b",partition="1",topic="t"} 10.0
                """).contains("kafka_log_log_odd{application=\"b\",partition=\"1\",topic=\"t\"} 1.0").doesNotContain(
                "kafka_log_log_odd{application=\"b\",partition=\"0\"").contains(
                        "millrace_metrics_series{application=\"b\",of=\"partitions\"} 4.0");

        partitions.remove(Integer.valueOf(1));

        assertThat(meters.scrape()).doesNotContain("partition=\"1\"").contains("partition=\"0\"");
    }

    @Test
    void seriesOfPartitionsCanBeLeftOut() {
        assertThat(registry(Map.of("millrace.metrics.per-partition", "false")).scrape()).doesNotContain("kafka_log_log")
                .contains("kafka_server_brokertopicmetrics_bytesin_total");
    }

    @Test
    void namesAreThoseOfConfluentsRulesWhereTheyAreAskedFor() {
        var meters = registry(Map.of("millrace.metrics.dialect", "confluent"));

        assertThat(meters.scrape()).contains("""
                # TYPE kafka_server_brokertopicmetrics_bytesinpersec untyped
                kafka_server_brokertopicmetrics_bytesinpersec{application="b",topic="t"} 3.0
                """, "kafka_server_socketservermetrics_connection_count{application=\"b\"} 2.0",
                "kafka_server_socketservermetrics_connections{application=\"b\"} 2.0",
                "kafka_server_socketservermetrics_connection_creation_total{application=\"b\"} 1.0",
                "kafka_server_group_coordinator_metrics_offset_commit_total{application=\"b\"} 1.0",
                "kafka_log_log_size{application=\"b\",partition=\"0\",topic=\"t\"} 0.0",
                "millrace_log_failures_total{application=\"b\"} 1.0").doesNotContain("bytesin_total",
                        "socket_server_metrics");
        assertThatThrownBy(() -> registry(Map.of("millrace.metrics.dialect", "klingon"))).hasMessageContaining(
                "klingon");
    }

    @Test
    void jvmAndProcessHaveTheNamesOfTheJmxExporterToo() {
        var meters = registry(Map.of());
        new MetricsConfiguration().jvmAliases().bindTo(meters);

        assertThat(meters.scrape()).contains("jvm_gc_collection_seconds_count{", "jvm_gc_collection_seconds_sum{",
                "jvm_threads_current{", "jvm_memory_bytes_used{application=\"b\",area=\"heap\"}",
                "jvm_memory_bytes_max{", "process_open_fds{", "process_cpu_seconds_total{");
    }

    private PrometheusMeterRegistry registry(Map<String, Object> settings) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new MetricsConfiguration().exposition(
                environment), Clock.SYSTEM);
        meters.config().commonTags("application", "b");
        ManyGauges.tell(meters, "partitions", () -> partitions, new Identity<>(List.of("topic", "partition"), it -> List
                .of("t", it.toString())), List.of(new Family<>("kafka.log.log.size", "bytes", it -> it * 10),
                        new Family<>("kafka.log.log.odd", "odd", it -> it % 2 == 1 ? 1 : Double.NaN)));
        var kafka = new KafkaMeters(meters);
        kafka.counter("kafka.server", "BrokerTopicMetrics", "BytesIn", "topic", "t").increment(3);
        kafka.counter("kafka.server", "socket-server-metrics", "connection-creation").increment();
        kafka.gauge("kafka.server", "socket-server-metrics", "connection-count", () -> 2);
        kafka.gauge("kafka.server", "socket-server-metrics", "connections-software", () -> 2);
        kafka.counter("kafka.server", "group-coordinator-metrics", "offset-commit").increment();
        Counter.builder("millrace.log.failures").register(meters).increment();
        return meters;
    }
}
