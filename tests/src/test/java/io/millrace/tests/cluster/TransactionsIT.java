package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Transactions from their coordinator to their readers, with Kafka's own clients and tool.
@ParameterizedClass
@MethodSource("io.millrace.tests.cluster.Mode#enough")
@DisturbsClusters
class TransactionsIT {
    private static final String TOOL = "org.apache.kafka.tools.TransactionsCommand";

    private final Mode mode;
    private final Cluster cluster;
    private final Kafka kafka;

    TransactionsIT(Mode mode, Clusters clusters) {
        this.mode = mode;
        this.cluster = clusters.of(mode);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void recordsAndOffsetsOfATransactionAreSeenTogetherOrNotAtAll() {
        var topic = created("txn-both", 3);
        var group = topic + "-group";
        var source = new TopicPartition(topic, 0);
        try (Producer<String, String> producer = producer(topic);
                Consumer<String, String> member = kafka.consumer(Map.of("group.id", group))) {
            producer.initTransactions();
            for (int round = 0; round < 20; round++) {
                producer.beginTransaction();
                for (int partition = 0; partition < 3; partition++) {
                    producer.send(new ProducerRecord<>(topic, partition, "k", "v" + round));
                }
                producer.sendOffsetsToTransaction(Map.of(source, new OffsetAndMetadata(round + 1)),
                        member.groupMetadata());
                if (round % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }

        var even = IntStream.range(0, 20).filter(round -> round % 2 == 0).mapToObj(round -> "v" + round).toList();
        for (int partition = 0; partition < 3; partition++) {
            assertThat(committed(new TopicPartition(topic, partition), even.size())).isEqualTo(even);
        }
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("group.id", group, "isolation.level",
                "read_committed"))) {
            assertThat(consumer.committed(Set.of(source)).get(source)).extracting(OffsetAndMetadata::offset)
                    .isEqualTo(19L);
        }
    }

    @Test
    void aProducerWhoseSuccessorHasBegunIsFencedAndItsTransactionAborted() {
        var topic = created("txn-fenced", 1);
        try (Producer<String, String> first = producer(topic); Producer<String, String> second = producer(topic)) {
            first.initTransactions();
            first.beginTransaction();
            Kafka.await(first.send(new ProducerRecord<>(topic, "k", "first")));

            second.initTransactions();
            second.beginTransaction();
            Kafka.await(second.send(new ProducerRecord<>(topic, "k", "second")));
            assertThatThrownBy(first::commitTransaction).isInstanceOfAny(ProducerFencedException.class,
                    InvalidProducerEpochException.class);
            second.commitTransaction();
        }

        assertThat(committed(new TopicPartition(topic, 0), 1)).containsExactly("second");
    }

    /// As Connect does it with the tasks that it had before (exactly-once source).
    @Test
    void producersAreFencedByAnAdminClient() {
        var topic = created("txn-fence", 1);
        try (Producer<String, String> producer = producer(topic); Admin admin = kafka.admin()) {
            producer.initTransactions();
            producer.beginTransaction();
            Kafka.await(producer.send(new ProducerRecord<>(topic, "k", "of before")));

            Kafka.await(admin.fenceProducers(List.of(topic, topic + "-new")).all());

            assertThatThrownBy(producer::commitTransaction).isInstanceOfAny(ProducerFencedException.class,
                    InvalidProducerEpochException.class);
        }
        try (Producer<String, String> producer = producer(topic)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, "k", "of today"));
            producer.commitTransaction();
        }
        assertThat(committed(new TopicPartition(topic, 0), 1)).containsExactly("of today");
    }

    /// KAFKA-18464: what it sent may not have reached anybody when it aborts, and the markers of its last transaction neither.
    @Test
    void aProducerMayAbortWhatItHasJustBegunWhileItsLastTransactionEnds() {
        var topic = created("txn-at-once", 1);
        var expected = new ArrayList<String>();
        for (int id = 0; id < 4; id++) {
            try (Producer<String, String> producer = producer(topic + "-" + id)) {
                producer.initTransactions();
                for (int round = 0; round < 5; round++) {
                    producer.beginTransaction();
                    Kafka.await(producer.send(new ProducerRecord<>(topic, "k", id + "-" + round)));
                    producer.commitTransaction();
                    expected.add(id + "-" + round);
                    for (int aborted = 0; aborted < 2; aborted++) {
                        producer.beginTransaction();
                        producer.send(new ProducerRecord<>(topic, "k", "aborted"));
                        producer.abortTransaction();
                    }
                }
            }
        }

        assertThat(committed(new TopicPartition(topic, 0), expected.size())).isEqualTo(expected);
    }

    @Test
    void operatorsSeeAnOpenTransactionAndEndIt() throws Exception {
        var topic = created("txn-tool", 1);
        try (Producer<String, String> producer = producer(topic); Admin admin = kafka.admin()) {
            producer.initTransactions();
            producer.beginTransaction();
            Kafka.await(producer.send(new ProducerRecord<>(topic, "k", "open")));

            assertThat(Kafka.await(admin.listTransactions().all())).anySatisfy(listing -> {
                assertThat(listing.transactionalId()).isEqualTo(topic);
                assertThat(listing.state()).isEqualTo(TransactionState.ONGOING);
            });
            var described = Kafka.await(admin.describeTransactions(List.of(topic)).description(topic));
            assertThat(ids(admin, new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING))))
                    .contains(
                            topic);
            assertThat(ids(admin, new ListTransactionsOptions().filterStates(Set.of(TransactionState.EMPTY))))
                    .doesNotContain(topic);
            assertThat(ids(admin, new ListTransactionsOptions().filterProducerIds(Set.of(described.producerId()))))
                    .containsExactly(topic);
            assertThat(described.topicPartitions()).containsExactly(new TopicPartition(topic, 0));
            var tool = KafkaRelease.KAFKA_3_9.program(TOOL).with("--bootstrap-server", kafka.bootstrap());
            assertThat(tool.with("list").run().succeeded().out()).contains(topic, "Ongoing");
            assertThat(tool.with("describe", "--transactional-id", topic).run().succeeded().out()).contains(topic
                    + "-0");
            var producers = tool.with("describe-producers", "--topic", topic, "--partition", "0").run().succeeded();
            assertThat(producers.out()).contains(String.valueOf(described.producerId()));

            tool.with("abort", "--topic", topic, "--partition", "0", "--start-offset", "0").run().succeeded();
        }
        try (Producer<String, String> producer = kafka.producer(Map.of())) {
            Kafka.await(producer.send(new ProducerRecord<>(topic, "k", "after")));
        }
        assertThat(committed(new TopicPartition(topic, 0), 1)).containsExactly("after");
    }

    private static List<String> ids(Admin admin, ListTransactionsOptions options) {
        return Kafka.await(admin.listTransactions(options).all()).stream().map(TransactionListing::transactionalId)
                .toList();
    }

    /// `transaction.version` is what makes a client of today bump its epoch at each end (KIP-890).
    @Test
    void operatorsEndAnOpenTransactionByRestAndSeeWhatThatFrees() {
        var topic = created("txn-rest", 1);
        var rest = new Rest(cluster.status().admin());
        try (Producer<String, String> producer = producer(topic); Admin admin = kafka.admin()) {
            assertThat(Kafka.await(admin.describeFeatures().featureMetadata()).finalizedFeatures()).hasEntrySatisfying(
                    "transaction.version", range -> assertThat(range.maxVersionLevel()).isEqualTo((short) 2));
            producer.initTransactions();
            short before = epoch(admin, topic);
            producer.beginTransaction();
            Kafka.await(producer.send(new ProducerRecord<>(topic, "k", "committed")));
            producer.commitTransaction();
            assertThat(epoch(admin, topic)).isEqualTo((short) (before + 1));
            producer.beginTransaction();
            Kafka.await(producer.send(new ProducerRecord<>(topic, "k", "open")));

            var ended = rest.send("POST", "transactions/" + topic + ":abort", "{}");

            assertThat(ended.at("/partitions/0/last_stable_offset_before").longValue()).isEqualTo(2);
            assertThat(ended.at("/partitions/0/last_stable_offset_after").longValue()).isEqualTo(4);
            assertThat(rest.get("transactions/" + topic).get("state").stringValue()).isIn("EMPTY", "COMPLETE_ABORT");
            assertThatThrownBy(producer::commitTransaction).isInstanceOfAny(ProducerFencedException.class,
                    InvalidProducerEpochException.class);
        }
        assertThat(committed(new TopicPartition(topic, 0), 1)).containsExactly("committed");
    }

    private static short epoch(Admin admin, String id) {
        return (short) Kafka.await(admin.describeTransactions(List.of(id)).description(id)).producerEpoch();
    }

    @Test
    void whoeverCoordinatesWhenOneIsKilledEndsWhatWasOpen() {
        if (mode == Mode.STANDALONE) {
            return;
        }
        var topic = created("txn-killed", 3);
        int count = 20;
        var producers = new ArrayList<Producer<String, String>>();
        try {
            for (int i = 0; i < count; i++) {
                var producer = producer(topic + "-" + i);
                producers.add(producer);
                producer.initTransactions();
                producer.beginTransaction();
                Kafka.await(producer.send(new ProducerRecord<>(topic, i % 3, "k", "v" + i)));
            }

            cluster.kill("coordinator", 1000);

            for (int i = 0; i < count; i++) {
                if (i % 2 == 0) {
                    producers.get(i).commitTransaction();
                } else {
                    producers.get(i).abortTransaction();
                }
            }
        } finally {
            producers.forEach(producer -> producer.close(Duration.ofSeconds(5)));
            cluster.start("coordinator", 1000);
        }
        var read = new ArrayList<String>();
        for (int partition = 0; partition < 3; partition++) {
            int wanted = partition;
            read.addAll(committed(new TopicPartition(topic, partition),
                    (int) IntStream.range(0, count).filter(i -> i % 2 == 0 && i % 3 == wanted).count()));
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, count).filter(i -> i % 2 == 0).mapToObj(i -> "v" + i).toList());
        try (Admin admin = kafka.admin()) {
            await().atMost(Kafka.LIMIT).until(() -> Kafka.await(admin.listTransactions().all()).stream()
                    .filter(listing -> listing.transactionalId().startsWith(topic))
                    .allMatch(listing -> listing.state() == TransactionState.COMPLETE_COMMIT
                            || listing.state() == TransactionState.COMPLETE_ABORT));
        }
    }

    private String created(String name, int partitions) {
        var topic = name + "-" + mode.name().toLowerCase(Locale.ROOT);
        kafka.create(topic, partitions);
        return topic;
    }

    private Producer<String, String> producer(String transactionalId) {
        return kafka.producer(Map.of("transactional.id", transactionalId, "transaction.timeout.ms", 60_000));
    }

    /// The committed values of a partition, once there are that many and nothing holds back the end.
    private List<String> committed(TopicPartition partition, int count) {
        var values = new ArrayList<String>();
        try (Consumer<String, String> latest = kafka.consumer(Map.of());
                Consumer<String, String> consumer = kafka.consumer(Map.of("isolation.level", "read_committed"))) {
            var all = Set.of(partition);
            await().atMost(Kafka.LIMIT).until(() -> consumer.endOffsets(all).equals(latest.endOffsets(all)));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long end = consumer.endOffsets(all).getOrDefault(partition, 0L);
            await().atMost(Kafka.LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= count && consumer.position(partition) >= end;
            });
        }
        return values;
    }
}
