package io.millrace.tests.containers;

import static io.millrace.tests.containers.ComposeCluster.BROKERS;
import static io.millrace.tests.containers.ComposeCluster.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.millrace.tests.chart.Dashboards;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// One cluster, and what its operators do to it, one after the other.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ComposeIT {
    private static ComposeCluster cluster;
    /// What the first test wrote; the last one reads it again.
    private static List<String> before = List.of();

    @BeforeAll
    static void start() throws Exception {
        Docker.prepare();
        cluster = new ComposeCluster();
        cluster.up();
        cluster.awaitReady(SERVICES);
        try (var admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic("orders", Optional.of(6), Optional.empty()))).all().get();
        }
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void clientsOnTheHostAreServedAsFromWithin() {
        try (var writer = new HostWriter(cluster.bootstrap(), "orders")) {
            await().atMost(Duration.ofSeconds(60)).until(() -> writer.count() >= 100);
            writer.finish();
            assertThat(writer.failures()).isEmpty();
            before = writer.acknowledged();
        }
        assertThat(consumeAsGroup(before.size())).isEqualTo(before.size());
        assertThat(cluster.status("admin-api", "/v3/clusters")).isEqualTo(200);
        await("the coordinator of the group tells its lag").atMost(Duration.ofSeconds(60)).until(() -> Stream.of(
                "coordinator-0", "coordinator-1").map(service -> cluster.get(service, "/actuator/prometheus"))
                .anyMatch(metrics -> metrics.contains("kafka_consumergroup_lag{") && metrics.contains(
                        "consumergroup=\"shop\"")));
    }

    /// Kinds side by side, as `helm upgrade` does, and of each kind one after the other.
    @Test
    @Order(2)
    void everythingIsReplacedUnderLoadWithoutOneFailedRecordAndDashboardsShowIt(@TempDir Path folder)
            throws IOException {
        try (var writer = new HostWriter(cluster.bootstrap(), "orders")) {
            for (var services : List.of(List.of("controller-0", "broker-0", "coordinator-0"), List.of("controller-1",
                    "broker-1", "coordinator-1"), List.of("broker-2", "admin-api"))) {
                cluster.recreate(services);
                cluster.awaitReady(SERVICES);
            }
            int then = writer.count();
            await("records go on").atMost(Duration.ofSeconds(30)).until(() -> writer.count() > then + 50);
            try (var prometheus = new Prometheus(folder, cluster.addresses(SERVICES))) {
                // A member that comes is first told its id, by an error.
                assertThat(consumeAsGroup(1)).isPositive();
                assertThat(Dashboards.queries()).isNotEmpty().allSatisfy(query -> await(query.toString()).atMost(
                        Duration.ofSeconds(30)).until(() -> !prometheus.query(query.plain()).isEmpty()));
            }
            writer.finish();
            assertThat(writer.failures()).isEmpty();
            assertStored(writer.acknowledged());
        }
    }

    @Test
    @Order(3)
    void nothingAcknowledgedIsLostWhereContainersAreKilledADiskIsLostAndNetworksAreCut() {
        try (var writer = new HostWriter(cluster.bootstrap(), "orders")) {
            await().atMost(Duration.ofSeconds(30)).until(() -> writer.count() > 50);
            cluster.kill("broker-1", "controller-0");
            int killed = writer.count();
            await("others lead").atMost(Duration.ofSeconds(60)).until(() -> writer.count() > killed + 200);
            cluster.lose("broker-1");
            cluster.start("controller-0");
            cluster.up("broker-1");
            cluster.awaitReady(SERVICES);

            // Ready is: in sync. So what only the lost one and this one had is on the new disk.
            cluster.cut("broker-2");
            int cut = writer.count();
            await("others lead").atMost(Duration.ofSeconds(60)).until(() -> writer.count() > cut + 200);
            cluster.heal("broker-2");
            cluster.awaitReady(BROKERS);
            writer.finish();
            assertStored(writer.acknowledged());
        }
    }

    @Test
    @Order(4)
    void dataGoOnAndNobodyIsUnreadyWhileZooKeeperAndControllersAreAway() {
        // A producer that comes while they are away would wait for its id.
        try (var writer = new HostWriter(cluster.bootstrap(), "orders")) {
            await().atMost(Duration.ofSeconds(60)).until(() -> writer.count() > 0);
            cluster.stop("zookeeper", "controller-0", "controller-1");
            int away = writer.count();
            await().atMost(Duration.ofSeconds(60)).until(() -> writer.count() > away + 500);
            assertThat(BROKERS).allMatch(cluster::ready).allMatch(cluster::alive);
            writer.finish();
            assertThat(writer.failures()).isEmpty();
        }
    }

    @Test
    @Order(5)
    void everythingComesBackFromCopiesOfVolumesAsWrittenAndServicesStartInAnyOrder(@TempDir Path folder)
            throws IOException {
        var committed = committed();
        cluster.stop("admin-api", "coordinator-0", "coordinator-1", "broker-0", "broker-1", "broker-2");
        cluster.run(Manual.commands("docs/operations.md", " -cf "), folder);
        cluster.wipe();
        cluster.create();
        cluster.run(Manual.commands("docs/operations.md", " -xf "), folder);
        // Those first that need the others most.
        cluster.start("admin-api", "coordinator-1", "broker-2");
        await("it says for what it waits").atMost(Duration.ofSeconds(60)).until(() -> cluster.logs("broker-2").contains(
                "for=zookeeper"));
        cluster.start("broker-0", "broker-1", "coordinator-0", "controller-1", "zookeeper", "controller-0");
        cluster.awaitReady(SERVICES);

        assertStored(before);
        assertThat(committed()).as("what was committed is not read again").isNotEmpty().isEqualTo(committed);
        assertThat(consumeAsGroup(1)).as("what came since is").isPositive();
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed() {
        try (var admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            return admin.listConsumerGroupOffsets("shop").partitionsToOffsetAndMetadata().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertStored(List<String> values) {
        var stored = HostWriter.read(cluster.bootstrap(), "orders");
        assertThat(values).isNotEmpty().allSatisfy(value -> assertThat(stored).containsKey(value));
    }

    /// Reads at least so many records as a group, and commits them; how many it read.
    private static int consumeAsGroup(int atLeast) {
        int count = 0;
        try (var consumer = new KafkaConsumer<>(Map.<String, Object>of("bootstrap.servers", cluster.bootstrap(),
                "group.id", "shop", "auto.offset.reset", "earliest", "enable.auto.commit", false),
                new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("orders"));
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (count < atLeast && System.nanoTime() < end) {
                count += consumer.poll(Duration.ofMillis(500)).count();
            }
            consumer.commitSync();
        }
        return count;
    }
}
