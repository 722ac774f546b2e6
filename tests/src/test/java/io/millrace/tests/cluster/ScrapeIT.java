package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.ClusterStatus.Service;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Required;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What operators look at: metrics under the names that dashboards know, health, version, Swagger UI.
@ParameterizedClass
@MethodSource("io.millrace.tests.cluster.Mode#enough")
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

    /// How far each replica is, as its leader knows, and how far readers may read: by metrics and by REST.
    @Test
    void everybodySeesHowFarReplicasAre() {
        Assumptions.assumeTrue(mode == Mode.CLUSTER, "nothing has followers in one process");
        var kafka = new Kafka(cluster.bootstrap());
        kafka.create(new NewTopic("scraped-replicas", Map.of(0, List.of(1, 2, 0))));
        kafka.produce("scraped-replicas", Map.of(), IntStream.range(0, 5).mapToObj(i -> Message.of("k", "v" + i))
                .toList());
        var of = new String[]{"topic=\"scraped-replicas\"", "partition=\"0\""};

        await().atMost(Kafka.LIMIT).untilAsserted(() -> {
            assertThat(brokers("kafka_log_log_logendoffset", of)).as("log ends").isEqualTo(15);
            assertThat(brokers("millrace_partition_high_watermark", of)).as("high watermarks").isEqualTo(15);
            for (var follower : List.of("follower=\"0\"", "follower=\"2\"")) {
                assertThat(brokers("millrace_partition_follower_log_end_offset", of[0], of[1], follower)).as(follower)
                        .isEqualTo(5);
            }
            assertThat(new Rest(cluster.status().admin()).get("topics/scraped-replicas/partitions/0/replicas").get(
                    "data").valueStream().map(it -> it.get("log_end_offset").longValue())).containsExactly(5L, 5L, 5L);
        });
    }

    private double brokers(String metric, String... labels) {
        return Scrape.sum(services().stream().filter(it -> it.role().equals("broker")).map(it -> Objects.requireNonNull(
                it.http())), metric, labels);
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

    /// Where nothing is committed there is nothing to subtract: no lag, and not that of all records.
    @Test
    void lagIsToldWhereThereIsOneAndTheSameByMetricsRestAndKafkasOwnTool() {
        var kafka = new Kafka(cluster.bootstrap());
        String prefix = "lagging-" + mode.label();
        String behind = prefix + "-behind";
        String empty = prefix + "-empty";
        String beyond = prefix + "-beyond";
        Map.of(behind, 10, empty, 0, beyond, 2, prefix + "-never", 20).forEach((topic, count) -> {
            kafka.create(topic, 1);
            kafka.produce(topic, Map.of(), IntStream.range(0, count).mapToObj(i -> Message.of("k", "v" + i)).toList());
        });
        try (var admin = kafka.admin()) {
            Kafka.await(admin.alterConsumerGroupOffsets(prefix, Map.of(new TopicPartition(behind, 0),
                    new OffsetAndMetadata(3), new TopicPartition(empty, 0), new OffsetAndMetadata(0),
                    new TopicPartition(beyond, 0), new OffsetAndMetadata(9))).all());
        }
        var expected = Map.of(behind, 7L, empty, 0L, beyond, 0L);

        var lags = new Rest(cluster.status().admin()).get("consumer-groups/" + prefix + "/lags").get("data")
                .valueStream().collect(Collectors.toMap(lag -> lag.get("topic_name").stringValue(), lag -> lag.get(
                        "lag")
                        .longValue()));
        assertThat(lags).isEqualTo(expected);
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(lags(prefix)).isEqualTo(expected));
        var described = KafkaRelease.KAFKA_3_9.consumerGroups().with("--bootstrap-server", cluster.bootstrap(),
                "--describe",
                "--group", prefix).run().succeeded().lines();
        assertThat(described).anyMatch(line -> line.matches(".*" + behind + "\\s+0\\s+3\\s+10\\s+7\\s.*"))
                .noneMatch(line -> line.contains("-never"));
    }

    /// By topic, as the coordinators tell it.
    private Map<String, Long> lags(String group) {
        var lag = Pattern.compile("kafka_consumergroup_lag\\{.*consumergroup=\"" + group
                + "\".*topic=\"([^\"]+)\".*} ([-0-9.]+)");
        return services().stream().flatMap(service -> Scrape.get(service.http() + "/actuator/prometheus").lines())
                .map(lag::matcher).filter(Matcher::matches).collect(Collectors.toMap(found -> found.group(1),
                        found -> (long) Double.parseDouble(found.group(2)), Math::max));
    }

    @Test
    void prometheusOwnToolReadsTheScrapeOfEveryService() {
        Required.check(Files.isExecutable(Path.of("/usr/bin/promtool")), "promtool, of Debian's package prometheus");
        for (Service service : services()) {
            var checked = Program.of(List.of("promtool", "check", "metrics")).run(Scrape.get(service.http()
                    + "/actuator/prometheus"));

            // 1: it cannot be read; 3: it would have named something otherwise than Kafka does.
            assertThat(checked.exitCode()).as("%s %s: %s", service.role(), service.id(), checked.all()).isIn(0, 3);
            assertThat(checked.all().lines()).allMatch(line -> line.endsWith(" no help text")
                    || line.contains("should not contain abbreviated units")
                    || line.contains("should not have \"_count\" suffix") || line.contains("not 'camelCase'"));
        }
    }

    @Test
    void aCallIsFoundByItsTraceInTheLogsOfTheAdminApiAndTheController() throws IOException {
        String trace = UUID.randomUUID().toString().replace("-", "");

        new Rest(cluster.status().admin()).send("POST", "topics", "{\"topic_name\":\"traced-" + mode.label()
                + "\",\"partitions_count\":1}", "traceparent", "00-" + trace + "-b7ad6b7169203331-01");

        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(lines(trace))
                .anyMatch(line -> line.contains("event=call method=POST"))
                .anyMatch(line -> line.contains("command=create-topics outcome=done")));
    }

    /// Of all logs.
    private List<String> lines(String part) throws IOException {
        try (var logs = Files.list(cluster.data().resolve("logs"))) {
            var found = new ArrayList<String>();
            for (var log : logs.toList()) {
                Files.readString(log).lines().filter(line -> line.contains(part)).forEach(found::add);
            }
            return found;
        }
    }

    private List<Service> services() {
        return cluster.status().services().stream().filter(it -> it.http() != null).toList();
    }
}
