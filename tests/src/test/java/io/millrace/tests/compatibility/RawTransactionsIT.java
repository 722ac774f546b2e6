package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Transactions by the bare protocol, with what no good client sends.
@UsesClusters
class RawTransactionsIT {
    private static final short PRODUCE = 11;

    private final Kafka kafka;

    RawTransactionsIT(Clusters clusters) {
        kafka = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());
    }

    private TopicPartition created(String topic) {
        kafka.create(new NewTopic(topic, 1, (short) 3));
        return new TopicPartition(topic, 0);
    }

    private RawProducer begun(String transactionalId) throws IOException {
        var producer = new RawProducer(kafka, transactionalId);
        producer.init();
        return producer;
    }

    private static MemoryRecords batch(RawProducer producer, int sequence) {
        return MemoryRecords.withTransactionalRecords(Compression.NONE, producer.producerId(), producer.epoch(),
                sequence, new SimpleRecord(System.currentTimeMillis(), ("v" + sequence).getBytes(
                        StandardCharsets.UTF_8)));
    }

    /// The end of a partition for any reader, which must be that for readers of committed records too.
    private long freeEnd(TopicPartition partition) {
        try (Consumer<String, String> any = kafka.consumer(Map.of());
                Consumer<String, String> committed = kafka.consumer(Map.of("isolation.level", "read_committed"))) {
            var all = Set.of(partition);
            await().atMost(Kafka.LIMIT).until(() -> committed.endOffsets(all).equals(any.endOffsets(all)));
            return any.endOffsets(all).getOrDefault(partition, -1L);
        }
    }

    @Test
    void anEndWithoutABeginningIsRefusedAndTheIdStaysUsable() throws Exception {
        var partition = created("raw-end");
        var producer = begun("raw-end");

        assertThat(producer.end(true)).isEqualTo(Errors.INVALID_TXN_STATE);

        assertThat(producer.add(partition)).containsExactly(Map.entry(partition, Errors.NONE));
        assertThat(producer.produce(partition, batch(producer, 0), PRODUCE)).isEqualTo(Errors.NONE);
        assertThat(producer.end(true)).as("over yet another connection").isEqualTo(Errors.NONE);
        assertThat(freeEnd(partition)).isEqualTo(2);
    }

    @Test
    void ofPartitionsOneOfWhichIsUnknownNoneIsAdded() throws Exception {
        var partition = created("raw-add");
        var unknown = new TopicPartition("raw-add-unknown", 0);
        var producer = begun("raw-add");

        assertThat(producer.add(partition, unknown)).containsOnly(Map.entry(partition,
                Errors.OPERATION_NOT_ATTEMPTED), Map.entry(unknown, Errors.UNKNOWN_TOPIC_OR_PARTITION));

        assertThat(producer.end(true)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(producer.produce(partition, batch(producer, 0), PRODUCE)).isEqualTo(
                Errors.TRANSACTION_ABORTABLE);
        assertThat(freeEnd(partition)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"9,INVALID_TXN_STATE", "10,INVALID_TXN_STATE", "11,TRANSACTION_ABORTABLE"})
    void aBatchToAPartitionThatWasNeverAddedIsRefused(short version, Errors told) throws Exception {
        var added = created("raw-stray-added-" + version);
        var stray = created("raw-stray-" + version);
        var producer = begun("raw-stray-" + version);
        producer.add(added);

        assertThat(producer.produce(stray, batch(producer, 0), version)).isEqualTo(told);

        assertThat(freeEnd(stray)).isZero();
        assertThat(producer.end(false)).isEqualTo(Errors.NONE);
    }

    @Test
    void aBatchThatComesOnceMoreAfterItsTransactionIsRefusedAndByTheNextLeaderToo() throws Exception {
        var partition = created("raw-late");
        var producer = begun("raw-late");
        var captured = batch(producer, 0);
        producer.add(partition);
        assertThat(producer.produce(partition, captured, PRODUCE)).isEqualTo(Errors.NONE);
        assertThat(producer.end(false)).isEqualTo(Errors.NONE);
        assertThat(freeEnd(partition)).isEqualTo(2);
        var late = batch(producer, 1);

        assertThat(producer.produce(partition, late, PRODUCE)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        moveLeader(partition);
        assertThat(producer.produce(partition, late, PRODUCE)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        // Known already, so that it is answered as it was and opens nothing; or refused, as what it was part of is over.
        assertThat(producer.produce(partition, captured, PRODUCE)).isIn(Errors.NONE, Errors.TRANSACTION_ABORTABLE,
                Errors.DUPLICATE_SEQUENCE_NUMBER);

        assertThat(freeEnd(partition)).isEqualTo(2);
    }

    @Test
    void whatSomebodyEndedByHandKeepsNoOtherPartitionFromItsEndAndTheIdGoesOn() throws Exception {
        var byHand = created("raw-by-hand");
        var other = created("raw-by-hand-other");
        var producer = begun("raw-by-hand");
        producer.add(byHand, other);
        assertThat(producer.produce(byHand, batch(producer, 0), PRODUCE)).isEqualTo(Errors.NONE);
        assertThat(producer.produce(other, batch(producer, 0), PRODUCE)).isEqualTo(Errors.NONE);
        assertThat(producer.mark(byHand, false, 1_000)).isEqualTo(Errors.NONE);

        assertThat(producer.end(true)).isEqualTo(Errors.NONE);

        assertThat(freeEnd(byHand)).isEqualTo(2);
        assertThat(freeEnd(other)).isEqualTo(2);
        await().atMost(Kafka.LIMIT).until(() -> producer.add(other).get(other) == Errors.NONE);
        assertThat(producer.produce(other, batch(producer, 1), PRODUCE)).isEqualTo(Errors.NONE);
        assertThat(producer.end(true)).isEqualTo(Errors.NONE);
        assertThat(freeEnd(other)).isEqualTo(4);
    }

    private void moveLeader(TopicPartition partition) {
        try (Admin admin = kafka.admin()) {
            var now = described(admin, partition.topic());
            var turned = List.of(now.get(1), now.get(2), now.get(0));
            Kafka.await(admin.alterPartitionReassignments(Map.of(partition, Optional.of(
                    new NewPartitionReassignment(turned)))).all());
            await().atMost(Kafka.LIMIT).until(() -> described(admin, partition.topic()).equals(turned));
            Kafka.await(admin.electLeaders(ElectionType.PREFERRED, Set.of(partition)).all());
        }
    }

    private static List<Integer> described(Admin admin, String topic) {
        return Kafka.await(admin.describeTopics(List.of(topic)).allTopicNames()).values().iterator().next().partitions()
                .getFirst().replicas().stream().map(node -> node.id()).toList();
    }
}
