package io.millrace.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

class KafkaMetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final KafkaMeters meters = new KafkaMeters(registry);

    @Test
    void prometheusShowsTheNamesThatDashboardsKnow() {
        meters.counter("kafka.server", "BrokerTopicMetrics", "BytesIn", "topic", "t").increment(3);
        meters.gauge("kafka.server", "ReplicaManager", "LeaderCount", () -> 5);
        meters.summary("kafka.network", "RequestMetrics", "TotalTimeMs", "request", "Produce").record(7);
        meters.gauge("kafka.server", "socket-server-metrics", "connection-count", () -> 2);

        assertThat(registry.scrape())
                .contains("kafka_server_brokertopicmetrics_bytesin_total{topic=\"t\"} 3.0")
                .contains("kafka_server_replicamanager_leadercount 5.0")
                .contains("kafka_network_requestmetrics_totaltimems{request=\"Produce\",quantile=\"0.999\"}")
                .contains("kafka_server_socket_server_metrics_connection_count 2.0");
    }

    @Test
    void aGaugeWhoseThingIsGoneIsTakenBack() {
        var gauge = meters.gauge("kafka.log", "Log", "Size", () -> 1, "topic", "t");

        meters.remove(gauge);

        assertThat(registry.scrape()).doesNotContain("kafka_log_log_size");
    }
}
