package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.wire.api.MarkerStamp;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Transactions as a broker sees them: what producers, coordinators, consumers and tools say over real sockets.
class TransactionsIT {
    private static final long PRODUCER = 4711;
    private static final int V1 = 11;
    private static final int V2 = 12;
    private static final int MARKERS = 2;
    private static final byte READ_COMMITTED = 1;

    @TempDir
    Path directory;
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private TestBroker broker;
    private RawConnection client;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory);
        broker.coordinatedAt(coordinator.address());
        broker.create("t", 3, Map.of());
        client = broker.connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
        coordinator.close();
    }

    private static MemoryRecords batch(long producer, int epoch, int sequence, String value) {
        return MemoryRecords.withTransactionalRecords(Compression.NONE, producer, (short) epoch, sequence,
                new SimpleRecord(System.currentTimeMillis(), value.getBytes(StandardCharsets.UTF_8)));
    }

    private static ProduceRequestData request(MemoryRecords records) {
        return Batches.produce("t", 0, -1, records).setTransactionalId("id").setTimeoutMs(10_000);
    }

    private Errors produce(int epoch, int sequence, int version) throws Exception {
        return error(client.call(request(batch(PRODUCER, epoch, sequence, "v" + sequence)), new ProduceResponseData(),
                version));
    }

    private static Errors error(ProduceResponseData answer) {
        return Errors.forCode(answer.responses().iterator().next().partitionResponses().getFirst().errorCode());
    }

    private static WritableTxnMarker marker(int epoch, boolean committed, int coordinatorEpoch) {
        return new WritableTxnMarker().setProducerId(PRODUCER)
                .setProducerEpoch((short) epoch)
                .setTransactionResult(committed)
                .setCoordinatorEpoch(coordinatorEpoch)
                .setTopics(List.of(new WritableTxnMarkerTopic().setName("t").setPartitionIndexes(List.of(0))));
    }

    private Errors end(WritableTxnMarker marker) throws Exception {
        return end(marker, MARKERS);
    }

    private Errors end(WritableTxnMarker marker, int version) throws Exception {
        return end(new WriteTxnMarkersRequestData().setMarkers(List.of(marker)), version);
    }

    private Errors end(WritableTxnMarker marker, MarkerStamp stamp) throws Exception {
        var request = new WriteTxnMarkersRequestData().setMarkers(List.of(marker));
        stamp.mark(request);
        return end(request, MARKERS);
    }

    private Errors end(WriteTxnMarkersRequestData request, int version) throws Exception {
        var answer = client.call(request, new WriteTxnMarkersResponseData(), version).markers().getFirst();
        assertThat(answer.producerId()).isEqualTo(PRODUCER);
        return Errors.forCode(answer.topics().getFirst().partitions().getFirst().errorCode());
    }

    private static FetchRequestData committed(long offset) {
        return Batches.fetch("t", 0, offset).setIsolationLevel(READ_COMMITTED);
    }

    private PartitionData fetch(FetchRequestData request) throws Exception {
        return client.call(request, new FetchResponseData(), 12).responses().getFirst().partitions().getFirst();
    }

    private long latest(byte isolation) throws Exception {
        var asked = new ListOffsetsRequestData().setReplicaId(-1)
                .setIsolationLevel(isolation)
                .setTopics(List.of(new ListOffsetsTopic().setName("t")
                        .setPartitions(List.of(new ListOffsetsPartition().setTimestamp(-1)))));
        return client.call(asked, new ListOffsetsResponseData(), 7).topics().getFirst().partitions().getFirst()
                .offset();
    }

    private List<ProducerState> producers(String topic, int partition) throws Exception {
        var asked = new DescribeProducersRequestData();
        asked.topics().add(new TopicRequest().setName(topic).setPartitionIndexes(List.of(partition)));
        var part = client.call(asked, new DescribeProducersResponseData(), 0).topics().getFirst().partitions()
                .getFirst();
        assertThat(part.errorCode()).isZero();
        return part.activeProducers();
    }

    @ParameterizedTest
    @CsvSource({"9,INVALID_TXN_STATE", "10,INVALID_TXN_STATE", "11,TRANSACTION_ABORTABLE", "12,TRANSACTION_ABORTABLE"})
    void aBatchThatIsInNoTransactionIsRefusedAndNothingIsAppended(int version, Errors told) throws Exception {
        coordinator.says(Errors.TRANSACTION_ABORTABLE);

        assertThat(produce(0, 0, version)).isEqualTo(told);

        assertThat(fetch(committed(0))).returns(0L, PartitionData::highWatermark).returns(0L,
                PartitionData::lastStableOffset);
        assertThat(producers("t", 0)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"NOT_COORDINATOR,11,NOT_ENOUGH_REPLICAS", "COORDINATOR_LOAD_IN_PROGRESS,12,NOT_ENOUGH_REPLICAS",
            "CONCURRENT_TRANSACTIONS,11,NOT_ENOUGH_REPLICAS", "CONCURRENT_TRANSACTIONS,12,CONCURRENT_TRANSACTIONS",
            "PRODUCER_FENCED,11,INVALID_PRODUCER_EPOCH", "INVALID_PRODUCER_ID_MAPPING,11,INVALID_PRODUCER_ID_MAPPING"})
    void theCoordinatorsWordIsPutAsTheClientUnderstandsIt(Errors said, int version, Errors told) throws Exception {
        coordinator.says(said);

        assertThat(produce(0, 0, version)).isEqualTo(told);
    }

    /// Else one request of a client that names a wrong epoch, or another's id, would keep the producer out until it is forgotten.
    @ParameterizedTest
    @EnumSource(value = Errors.class, names = {"PRODUCER_FENCED", "INVALID_PRODUCER_ID_MAPPING",
            "TRANSACTION_ABORTABLE",
            "COORDINATOR_NOT_AVAILABLE"})
    void anEpochThatTheCoordinatorRefusesKeepsNobodyOut(Errors word) throws Exception {
        coordinator.says(word);
        assertThat(produce(100, 0, V1)).isNotEqualTo(Errors.NONE);

        coordinator.says(Errors.NONE);
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(end(marker(0, true, 0))).isEqualTo(Errors.NONE);
        assertThat(latest(READ_COMMITTED)).isEqualTo(2);
    }

    @Test
    void theCoordinatorIsAskedOnceATransactionAndAgainAfterItsEnd() throws Exception {
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(produce(0, 1, V1)).isEqualTo(Errors.NONE);

        assertThat(coordinator.asked()).hasSize(1);
        assertThat(coordinator.asked().getFirst().verifyOnly()).isTrue();
        assertThat(end(marker(0, false, 0))).isEqualTo(Errors.NONE);
        coordinator.says(Errors.TRANSACTION_ABORTABLE);
        assertThat(produce(0, 1, V1)).as("replayed after its abort").isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(produce(0, 2, 10)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(latest(READ_COMMITTED)).isEqualTo(3);
        coordinator.says(Errors.NONE);
        assertThat(produce(0, 2, V1)).isEqualTo(Errors.NONE);
    }

    @Test
    void batchesOfOneRequestAreAskedAboutTogetherAndRefusedEachForItself() throws Exception {
        var request = request(batch(PRODUCER, 0, 0, "a"));
        var parts = request.topicData().iterator().next().partitionData();
        parts.add(new PartitionProduceData().setIndex(1).setRecords(batch(PRODUCER, 0, 0, "b")));
        parts.add(new PartitionProduceData().setIndex(2).setRecords(batch(PRODUCER + 1, 0, 0, "c")));

        var answer = client.call(request, new ProduceResponseData(), V1);

        assertThat(answer.responses().iterator().next().partitionResponses()).extracting(part -> Errors.forCode(part
                .errorCode())).containsExactly(Errors.NONE, Errors.NONE, Errors.INVALID_PRODUCER_ID_MAPPING);
        assertThat(coordinator.asked()).hasSize(1);
        assertThat(coordinator.asked().getFirst().topics().iterator().next().partitions()).containsExactlyInAnyOrder(0,
                1);
    }

    @Test
    void inTransactionsV2TheLeaderAddsThePartitionAndIsPatientWithTheTransactionBefore() throws Exception {
        var tries = new AtomicInteger();
        coordinator.says(_ -> tries.incrementAndGet() < 2 ? Errors.CONCURRENT_TRANSACTIONS : Errors.NONE);

        assertThat(produce(5, 0, V2)).isEqualTo(Errors.NONE);

        assertThat(tries).hasValue(2);
        assertThat(coordinator.asked()).noneMatch(transaction -> transaction.verifyOnly());
        assertThat(end(marker(5, true, 0).setTransactionVersion((byte) 2))).as("v2 ends it with the next epoch")
                .isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(end(marker(6, true, 0).setTransactionVersion((byte) 2))).isEqualTo(Errors.NONE);
        assertThat(end(marker(6, true, 0).setTransactionVersion((byte) 2))).isEqualTo(Errors.NONE);
        assertThat(produce(5, 1, V2)).as("of the epoch before").isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(produce(6, 1, V2)).as("its first batch is missing").isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(produce(6, 0, V2)).isEqualTo(Errors.NONE);
    }

    @Test
    void whereAMarkerComesWhileTheCoordinatorIsAskedItIsAskedAgain() throws Exception {
        var answers = new CompletableFuture<Void>();
        coordinator.silentUntil(answers);
        try (var other = broker.connect()) {
            other.send(request(batch(PRODUCER, 0, 0, "late")), V1);
            await().until(() -> coordinator.asked().size() == 1);

            assertThat(end(marker(0, false, 0))).isEqualTo(Errors.NONE);
            coordinator.says(Errors.TRANSACTION_ABORTABLE);
            answers.complete(null);

            assertThat(error(other.receive(new ProduceResponseData(), V1))).as("of the transaction that was aborted")
                    .isEqualTo(Errors.TRANSACTION_ABORTABLE);
            assertThat(coordinator.asked()).hasSize(2);
        }
        assertThat(latest(READ_COMMITTED)).isEqualTo(1);
    }

    @Test
    void inTransactionsV2TheMarkerOfTheTransactionBeforeEndsNotTheNext() throws Exception {
        assertThat(produce(5, 0, V2)).isEqualTo(Errors.NONE);
        var answers = new CompletableFuture<Void>();
        coordinator.silentUntil(answers);
        try (var other = broker.connect()) {
            other.send(request(batch(PRODUCER, 6, 0, "next")), V2);
            other.send(request(batch(PRODUCER, 6, 1, "next but one")), V2);
            await().until(() -> coordinator.asked().size() == 2);

            assertThat(end(marker(6, true, 0).setTransactionVersion((byte) 2))).isEqualTo(Errors.NONE);
            answers.complete(null);

            assertThat(error(other.receive(new ProduceResponseData(), V2))).isEqualTo(Errors.NONE);
            assertThat(error(other.receive(new ProduceResponseData(), V2))).isEqualTo(Errors.NONE);
        }
        assertThat(latest(READ_COMMITTED)).isEqualTo(2);
    }

    /// Before transactions v2 a producer keeps its epoch from one transaction to the next.
    @Test
    void aMarkerThatWasGivenUpAndComesLateDoesNotEndTheNextTransaction() throws Exception {
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(end(marker(0, true, 0), new MarkerStamp(1000, 7, 2))).isEqualTo(Errors.NONE);
        assertThat(produce(0, 1, V1)).isEqualTo(Errors.NONE);

        assertThat(end(marker(0, true, 0), new MarkerStamp(1000, 7, 1))).isEqualTo(Errors.REQUEST_TIMED_OUT);

        assertThat(latest(READ_COMMITTED)).as("the next transaction is open").isEqualTo(2);
        assertThat(latest((byte) 0)).as("nothing was appended").isEqualTo(3);
        assertThat(end(marker(0, false, 0), new MarkerStamp(1000, 7, 3))).isEqualTo(Errors.NONE);
        assertThat(latest(READ_COMMITTED)).isEqualTo(4);
    }

    @Test
    void theWordOfACoordinatorThatWasDeposedBeforeTheLastEndBeginsNoTransaction() throws Exception {
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(end(marker(0, true, 5))).isEqualTo(Errors.NONE);

        coordinator.inEpoch(4);
        assertThat(produce(0, 1, V1)).as("the producer is to ask again").isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
        assertThat(latest(READ_COMMITTED)).isEqualTo(2);

        coordinator.inEpoch(5);
        assertThat(produce(0, 1, V1)).isEqualTo(Errors.NONE);
    }

    /// By the names of docs/metrics.md.
    @Test
    void aTransactionThatHangsIsCountedAndSoIsWhatItHoldsBack() throws Exception {
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(produce(0, 1, V1)).isEqualTo(Errors.NONE);
        assertThat(lag(0)).isEqualTo(2);
        assertThat(hanging()).as("it is open, and no longer than it may be").isZero();
        assertThat(end(marker(0, true, 0))).isEqualTo(Errors.NONE);
        assertThat(lag(0)).isZero();

        long longAgo = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
        var old = MemoryRecords.withTransactionalRecords(Compression.NONE, PRODUCER, (short) 0, 2, new SimpleRecord(
                longAgo, "old".getBytes(StandardCharsets.UTF_8)));
        assertThat(error(client.call(request(old), new ProduceResponseData(), V1))).isEqualTo(Errors.NONE);
        assertThat(hanging()).isEqualTo(1);
        assertThat(lag(0)).isEqualTo(1);

        assertThat(end(marker(0, false, 0))).isEqualTo(Errors.NONE);
        assertThat(hanging()).isZero();
        assertThat(lag(0)).isZero();
    }

    private double hanging() {
        return broker.meters().get("kafka.server.replicamanager.partitionswithlatetransactionscount").gauge().value();
    }

    private double lag(int partition) {
        var name = "kafka_cluster_partition_laststableoffsetlag{partition=\"%d\",topic=\"t\"".formatted(partition);
        return broker.meters().scrape().lines().filter(line -> line.startsWith(name)).mapToDouble(line -> Double
                .parseDouble(line.substring(line.lastIndexOf(' ') + 1))).findFirst().orElseThrow();
    }

    @Test
    void pipelinedBatchesKeepTheirOrderThoughTheFirstOnesWaitForTheCoordinator() throws Exception {
        for (int sequence = 0; sequence < 5; sequence++) {
            client.send(request(batch(PRODUCER, 0, sequence, "v" + sequence)), V1);
        }

        for (int sequence = 0; sequence < 5; sequence++) {
            var answer = client.receive(new ProduceResponseData(), V1);
            assertThat(error(answer)).isEqualTo(Errors.NONE);
            assertThat(answer.responses().iterator().next().partitionResponses().getFirst().baseOffset()).isEqualTo(
                    sequence);
        }
    }

    @Test
    void aBatchDoesNotOvertakeOneThatStillWaitsForTheCoordinatorThoughTheTransactionIsOpenByThen() throws Exception {
        var first = new CompletableFuture<Void>();
        var second = new CompletableFuture<Void>();
        coordinator.silentUntil(first);
        client.send(request(batch(PRODUCER, 0, 0, "v0")), V1);
        await().until(() -> coordinator.asked().size() == 1);
        client.send(request(batch(PRODUCER, 0, 1, "v1")), V1);
        coordinator.silentUntil(second);
        first.complete(null);
        assertThat(error(client.receive(new ProduceResponseData(), V1))).isEqualTo(Errors.NONE);
        client.send(request(batch(PRODUCER, 0, 2, "v2")), V1);
        second.complete(null);

        for (int sequence = 1; sequence < 3; sequence++) {
            var answer = client.receive(new ProduceResponseData(), V1);
            assertThat(error(answer)).isEqualTo(Errors.NONE);
            assertThat(answer.responses().iterator().next().partitionResponses().getFirst().baseOffset()).isEqualTo(
                    sequence);
        }
    }

    @Test
    void aCoordinatorThatDoesNotAnswerCostsTheProducerNoMoreThanItsTime() throws Exception {
        coordinator.silentUntil(new CompletableFuture<>());

        var answer = client.call(request(batch(PRODUCER, 0, 0, "a")).setTimeoutMs(200), new ProduceResponseData(), V1);

        assertThat(error(answer)).isIn(Errors.REQUEST_TIMED_OUT, Errors.NOT_ENOUGH_REPLICAS);
        assertThat(latest(READ_COMMITTED)).isZero();
    }

    @Test
    void aCoordinatorThatCannotBeReachedIsAskedForAgainByTheClient() throws Exception {
        coordinator.close();

        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
    }

    @Test
    void whereVerificationIsSwitchedOffOnlyTransactionsV2AreAskedFor() throws Exception {
        broker.configure(ConfigResource.allBrokers(), Map.of("transaction.partition.verification.enable", "false"));

        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        assertThat(coordinator.asked()).isEmpty();
        assertThat(end(marker(1, true, 0))).isEqualTo(Errors.NONE);
        assertThat(produce(1, 0, V2)).isEqualTo(Errors.NONE);
        assertThat(coordinator.asked()).hasSize(1);
    }

    @Test
    void aTransactionalBatchNeedsATransactionalId() throws Exception {
        var answer = client.call(request(batch(PRODUCER, 0, 0, "a")).setTransactionalId(null),
                new ProduceResponseData(), V1);

        assertThat(error(answer)).isEqualTo(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyVersionOfMarkersEndsATransaction(int version) throws Exception {
        produce(1, 0, V1);
        assertThat(latest(READ_COMMITTED)).isZero();

        assertThat(end(marker(1, true, 3), version)).isEqualTo(Errors.NONE);

        assertThat(latest(READ_COMMITTED)).isEqualTo(2);
        assertThat(end(marker(1, true, 3), version)).as("repeated").isEqualTo(Errors.NONE);
        assertThat(end(marker(1, true, 2), version)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        assertThat(end(marker(0, true, 4), version)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(end(marker(-1, true, 4), version)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    private static WritableTxnMarker ending(String topic) {
        return marker(0, true, 3).setTopics(List.of(new WritableTxnMarkerTopic().setName(topic)
                .setPartitionIndexes(List.of(0))));
    }

    @Test
    void markersGoToLeadersOnly() throws Exception {
        assertThat(end(ending("nowhere"))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(end(ending("__transaction_state"))).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
        broker.put("t", TestBroker.ledByAnother(0, 1));
        assertThat(end(ending("t"))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void markersOfGroupsOffsetsAreWrittenByTheOwnerOfTheShard() throws Exception {
        broker.create("__consumer_offsets");

        assertThat(end(ending("__consumer_offsets"))).isEqualTo(Errors.NONE);
        assertThat(coordinator.markers()).containsExactly(ending("__consumer_offsets"));
        coordinator.says(Errors.TRANSACTION_COORDINATOR_FENCED);
        assertThat(end(ending("__consumer_offsets"))).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        coordinator.says(Errors.NOT_COORDINATOR);
        assertThat(end(ending("__consumer_offsets"))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        coordinator.close();
        assertThat(end(ending("__consumer_offsets"))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void readersOfCommittedRecordsAreToldOfAbortedOnesAndSeeNothingBeyondTheLastStableOffset() throws Exception {
        produce(0, 0, V1);
        end(marker(0, false, 0));
        produce(0, 1, V1);
        client.call(Batches.produce("t", 0, 1, Batches.batch("plain")), new ProduceResponseData(), V1);

        var read = fetch(committed(0));
        assertThat(read).returns(4L, PartitionData::highWatermark).returns(2L, PartitionData::lastStableOffset);
        assertThat(read.abortedTransactions()).containsExactly(new AbortedTransaction().setProducerId(PRODUCER)
                .setFirstOffset(0));
        assertThat(((MemoryRecords) read.records()).batches()).hasSize(2);
        assertThat(fetch(committed(2))).returns(0, part -> part.records().sizeInBytes());
        var all = fetch(Batches.fetch("t", 0, 0));
        assertThat(((MemoryRecords) all.records()).batches()).hasSize(4);
        assertThat(all.abortedTransactions()).isNull();
        assertThat(latest(READ_COMMITTED)).isEqualTo(2);
        assertThat(latest((byte) 0)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void aFetchThatWaitsIsAnsweredOnceTheTransactionEnds(int minBytes) throws Exception {
        try (var reader = broker.connect()) {
            reader.send(committed(0).setMaxWaitMs(Batches.LONG_WAIT_MILLIS).setMinBytes(minBytes), 12);
            for (int sequence = 0; sequence < 5; sequence++) {
                assertThat(produce(0, sequence, V1)).isEqualTo(Errors.NONE);
            }

            assertThat(end(marker(0, true, 0))).isEqualTo(Errors.NONE);

            long began = System.nanoTime();
            var read = reader.receive(new FetchResponseData(), 12).responses().getFirst().partitions().getFirst();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(
                    Batches.LONG_WAIT_MILLIS / 2));
            assertThat(((MemoryRecords) read.records()).batches()).hasSize(6);
        }
    }

    @Test
    void producersAreDescribedWithAllThatIsKnownOfThem() throws Exception {
        produce(2, 0, V1);
        produce(2, 1, V1);

        assertThat(producers("t", 0)).singleElement()
                .returns(PRODUCER, ProducerState::producerId)
                .returns(2, ProducerState::producerEpoch)
                .returns(1, ProducerState::lastSequence)
                .returns(-1, ProducerState::coordinatorEpoch)
                .returns(0L, ProducerState::currentTxnStartOffset)
                .satisfies(state -> assertThat(state.lastTimestamp()).isPositive());
        end(marker(2, true, 9));
        broker.restart();
        client.close();
        client = broker.connect();
        assertThat(producers("t", 0)).singleElement().returns(9, ProducerState::coordinatorEpoch).returns(-1L,
                ProducerState::currentTxnStartOffset);
    }

    @Test
    void theJavaConsumerOfCommittedRecordsGetsThemAndNoOthers() throws Exception {
        assertThat(produce(0, 0, V1)).isEqualTo(Errors.NONE);
        end(marker(0, false, 0));
        assertThat(produce(0, 1, V1)).isEqualTo(Errors.NONE);
        end(marker(0, true, 0));
        assertThat(produce(0, 2, V1)).isEqualTo(Errors.NONE);

        try (var consumer = new KafkaConsumer<String, String>(Map.of("bootstrap.servers", broker.bootstrap(),
                "isolation.level", "read_committed", "auto.offset.reset", "earliest"), new StringDeserializer(),
                new StringDeserializer())) {
            var partition = new TopicPartition("t", 0);
            consumer.assign(List.of(partition));
            var found = new ArrayList<String>();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> found.add(record.value()));
                return consumer.position(partition) == 4;
            });
            assertThat(found).containsExactly("v1");
            assertThat(consumer.endOffsets(List.of(partition))).containsValue(4L);
        }
    }
}
