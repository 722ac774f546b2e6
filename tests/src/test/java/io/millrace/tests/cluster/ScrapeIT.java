package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.tests.cluster.ClusterStatus.Service;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What operators look at: metrics under the names that dashboards know, health, version, Swagger UI.
@ParameterizedClass
@EnumSource(Mode.class)
@UsesClusters
class ScrapeIT {

    private static final Map<String, List<String>> METRICS = Map.of("controller",
            List.of("kafka_controller_kafkacontroller_activecontrollercount",
                    "kafka_controller_kafkacontroller_offlinepartitionscount",
                    "kafka_controller_kafkacontroller_globaltopiccount",
                    "kafka_controller_kafkacontroller_globalpartitioncount",
                    "kafka_controller_kafkacontroller_activebrokercount"),
            "broker",
            List.of("kafka_server_brokertopicmetrics_bytesin_total", "kafka_server_brokertopicmetrics_bytesout_total",
                    "kafka_server_brokertopicmetrics_messagesin_total",
                    "kafka_server_brokertopicmetrics_totalproducerequests_total",
                    "kafka_server_brokertopicmetrics_totalfetchrequests_total",
                    "kafka_server_replicamanager_partitioncount", "kafka_server_replicamanager_leadercount",
                    "kafka_server_replicamanager_underreplicatedpartitions",
                    "kafka_network_requestmetrics_requests_total", "kafka_network_requestmetrics_totaltimems"),
            "coordinator",
            List.of("kafka_coordinator_group_groupmetadatamanager_numgroups",
                    "kafka_network_requestmetrics_requests_total", "kafka_network_requestmetrics_totaltimems"),
            "admin", List.of());

    private final Cluster cluster;
    private final Mode mode;

    ScrapeIT(Mode mode, Clusters clusters) {
        this.cluster = clusters.of(mode);
        this.mode = mode;
    }

    @Test
    void everyServiceIsScrapedUnderTheNamesThatDashboardsKnow() {
        var kafka = new Kafka(cluster.bootstrap());
        String topic = "scraped-" + mode.label();
        kafka.create(topic, 2);
        kafka.produce(topic, Map.of(), List.of(Message.of("k", "v")));
        assertThat(kafka.readAll(topic)).hasSize(1);

        for (Service service : services()) {
            Set<String> names = names(Scrape.get(service.http() + "/actuator/prometheus"));
            assertThat(names).as("metrics of %s %s", service.role(), service.id()).contains("jvm_memory_used_bytes")
                    .containsAll(METRICS.getOrDefault(service.role(), List.of()));
        }
    }

    private static Set<String> names(String scrape) {
        return scrape.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("[{ ]", 2)[0])
                .map(name -> name.replaceFirst("_(count|sum|max)$", "")).collect(Collectors.toSet());
    }

    @Test
    void everyServiceTellsItsHealthAndItsVersion() {
        for (Service service : services()) {
            assertThat(Scrape.get(service.http() + "/actuator/health/liveness")).contains("UP");
            assertThat(Scrape.get(service.http() + "/actuator/health/readiness")).contains("UP");
            assertThat(Scrape.get(service.http() + "/actuator/info")).contains("version");
        }
    }

    @Test
    void theAdminApiShowsItselfInSwaggerUi() {
        String admin = cluster.status().admin();

        assertThat(Scrape.get(admin + "/swagger-ui")).contains("Swagger UI");
        assertThat(Scrape.get(admin + "/openapi")).contains("\"openapi\"", "/v3/clusters/{");
    }

    private List<Service> services() {
        return cluster.status().services().stream().filter(it -> it.http() != null).toList();
    }
}
