package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.Rest;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/// Transactions that nobody will end, which take a client that breaks the rules and a cluster that does not look: operators
/// find and end them with Kafka's own tool, and by REST.
@UsesClusters
class HangingTransactionsIT {
    private static final String TOOL = "org.apache.kafka.tools.TransactionsCommand";
    private static final List<KafkaRelease> RELEASES = List.of(KafkaRelease.KAFKA_3_9, KafkaRelease.KAFKA_4_4);
    private static final short BEFORE_VERSION_2 = 11;
    private static final long FIRST_PRODUCER = 987_654_321L;
    private static final String TOPIC = "hanging";

    /// Of what hangs, one is for each release of the tool, and one for the REST API; in the last one a client is at work.
    private static final int REST = RELEASES.size();
    private static final int OPEN = REST + 1;

    private final Kafka kafka;
    private final Rest rest;

    HangingTransactionsIT(Clusters clusters) {
        var cluster = clusters.of(Mode.CLUSTER);
        kafka = new Kafka(cluster.bootstrap());
        rest = new Rest(cluster.status().admin());
    }

    @Test
    void theToolFindsWhatHangsAndNothingElseAndEndsIt() throws Exception {
        kafka.create(new NewTopic(TOPIC, OPEN + 1, (short) 3));
        var open = new TopicPartition(TOPIC, OPEN);
        verify(false);
        try {
            for (int partition = 0; partition < OPEN; partition++) {
                hang(partition);
            }
        } finally {
            verify(true);
        }
        try (Producer<String, String> producer = kafka.producer(Map.of("transactional.id", TOPIC))) {
            producer.initTransactions();
            producer.beginTransaction();
            Kafka.await(producer.send(new ProducerRecord<>(TOPIC, open.partition(), "k", "of a client at work")));
            for (int partition = 0; partition < RELEASES.size(); partition++) {
                endBy(RELEASES.get(partition), partition);
            }
            endByRest();
            producer.commitTransaction();
        }
        try (Consumer<String, String> committed = kafka.consumer(Map.of("isolation.level", "read_committed"))) {
            await().atMost(Kafka.LIMIT).until(() -> committed.endOffsets(Set.of(open)).getOrDefault(open, 0L) == 2);
        }
    }

    private void endBy(KafkaRelease release, int partition) {
        var hanging = new TopicPartition(TOPIC, partition);
        var producer = String.valueOf(FIRST_PRODUCER + partition);
        var tool = release.program(TOOL).with("--bootstrap-server", kafka.bootstrap());
        var where = new String[]{"--topic", TOPIC, "--partition", String.valueOf(partition)};
        try (Consumer<String, String> committed = kafka.consumer(Map.of("isolation.level", "read_committed"))) {
            assertThat(committed.endOffsets(Set.of(hanging))).containsEntry(hanging, 0L);

            assertThat(column("LatestCoordinatorEpoch", producer, tool.with("describe-producers").with(where))).as(
                    "of nobody").isEqualTo("-1");
            var found = tool.with("find-hanging", "--topic", TOPIC).run().succeeded().lines();
            assertThat(found).as("found by %s", release).anySatisfy(line -> assertThat(line).contains(producer));
            assertThat(found).noneSatisfy(line -> assertThat(line.trim().split("\\s+")).startsWith(TOPIC, String
                    .valueOf(OPEN)));
            assertThat(tool.with("find-hanging", "--broker-id", "0").run().succeeded().out()).as(
                    "found by a broker that follows most of what it has").contains(producer);
            assertThat(tool.with("list").run().succeeded().out()).contains(TOPIC, "Ongoing").doesNotContain(producer);
            assertThat(tool.with("list", "--duration-filter", "3600000").run().succeeded().out()).doesNotContain(TOPIC);
            if (release == KafkaRelease.KAFKA_4_4) {
                assertThat(tool.with("list", "--transactional-id-pattern", "hang.*").run().succeeded().out()).contains(
                        TOPIC, "Ongoing");
                assertThat(tool.with("list", "--transactional-id-pattern", "other.*").run().succeeded().out())
                        .doesNotContain(TOPIC);
            }
            assertThat(tool.with("describe", "--transactional-id", "nobody").run().all()).contains(
                    "because the ID could not be found");

            var known = tool.with("describe", "--transactional-id", TOPIC);
            assertThat(column("TransactionState", TOPIC, known)).isEqualTo("Ongoing");
            assertThat(column("TopicPartitions", TOPIC, known)).isEqualTo(TOPIC + "-" + OPEN);
            assertThat(Long.parseLong(column("CurrentTransactionStartTimeMs", TOPIC, known))).isPositive();
            tool.with("abort").with(where).with("--start-offset", "0").run().succeeded();

            await().atMost(Kafka.LIMIT).until(() -> committed.endOffsets(Set.of(hanging)).getOrDefault(hanging,
                    0L) == 2);
            assertThat(tool.with("abort").with(where).with("--start-offset", "0").run().exitCode()).as(
                    "a transaction that has ended").isNotZero();
            assertThat(column("LatestCoordinatorEpoch", producer, tool.with("describe-producers").with(where))).as(
                    "of whoever ended it").isEqualTo("0");
        }
    }

    /// What the tool prints in that column, in the line that has that word.
    private static String column(String name, String word, Program tool) {
        var lines = tool.run().succeeded().lines().stream().map(line -> List.of(line.trim().split("\\s+"))).toList();
        int column = lines.getFirst().indexOf(name);
        assertThat(column).as("%s in %s", name, lines).isNotNegative();
        return lines.stream().filter(line -> line.contains(word)).findFirst().orElseThrow().get(column);
    }

    private void endByRest() {
        long producer = FIRST_PRODUCER + REST;
        var hanging = rest.get("transactions:hanging").get("data").valueStream().toList();
        assertThat(hanging).singleElement().satisfies(found -> {
            assertThat(found.get("partition_id").intValue()).isEqualTo(REST);
            assertThat(found.get("producer_id").longValue()).isEqualTo(producer);
            assertThat(Instant.parse(found.get("open_since").stringValue())).isBefore(Instant.now().minus(Duration
                    .ofMinutes(59)));
            assertThat(found.get("last_stable_offset").longValue()).isZero();
        });

        var ended = rest.send("POST", "topics/%s/partitions/%d/transactions:abort-hanging".formatted(TOPIC, REST),
                "{\"producer_id\":%d,\"start_offset\":0}".formatted(producer));

        assertThat(ended.at("/partitions/0/last_stable_offset_before").longValue()).isZero();
        assertThat(ended.at("/partitions/0/last_stable_offset_after").longValue()).isEqualTo(2);
        assertThat(rest.get("transactions:hanging").get("data").size()).isZero();
    }

    private void verify(boolean on) {
        var all = new ConfigResource(ConfigResource.Type.BROKER, "");
        Collection<AlterConfigOp> change = List.of(new AlterConfigOp(new ConfigEntry(
                "transaction.partition.verification.enable", "false"), on
                        ? AlterConfigOp.OpType.DELETE
                        : AlterConfigOp.OpType.SET));
        try (Admin admin = kafka.admin()) {
            Kafka.await(admin.incrementalAlterConfigs(Map.of(all, change)).all());
        }
    }

    /// A record in a transaction that no coordinator knows, an hour ago.
    private void hang(int partition) {
        long time = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
        var records = MemoryRecords.withTransactionalRecords(Compression.NONE, FIRST_PRODUCER + partition, (short) 0, 0,
                new SimpleRecord(time, "k".getBytes(StandardCharsets.UTF_8), "v".getBytes(
                        StandardCharsets.UTF_8)));
        var written = new TopicPartition(TOPIC, partition);
        var producer = new RawProducer(kafka, "nobody-" + partition);
        await().atMost(Kafka.LIMIT).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            try (Consumer<String, String> reader = kafka.consumer(Map.of())) {
                producer.produce(written, records, BEFORE_VERSION_2);
                assertThat(reader.endOffsets(Set.of(written))).containsEntry(written, 1L);
            }
        });
    }
}
