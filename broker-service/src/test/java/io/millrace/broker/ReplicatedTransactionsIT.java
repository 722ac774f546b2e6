package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.wire.client.NodeAddress;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Transactions in a partition with a follower: what is answered when, and what the next leader knows.
class ReplicatedTransactionsIT {
    private static final long PRODUCER = 4711;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path directory;
    private final Word coordinator = new Word();
    private TestCluster cluster;

    /// A coordinator that says one thing of all partitions.
    private static final class Word implements CoordinatorChannel {
        private volatile Errors word = Errors.NONE;

        @Override
        public Optional<NodeAddress> coordinatorOf(String transactionalId) {
            return Optional.of(new NodeAddress("127.0.0.1", 1));
        }

        @Override
        public CompletableFuture<AddPartitionsToTxnResponseData> ask(NodeAddress node,
                AddPartitionsToTxnRequestData request, Duration timeout) {
            var answer = new AddPartitionsToTxnResponseData();
            request.transactions().forEach(transaction -> {
                var result = new AddPartitionsToTxnResult().setTransactionalId(transaction.transactionalId());
                transaction.topics()
                        .forEach(topic -> result.topicResults()
                                .add(new AddPartitionsToTxnTopicResult().setName(topic.name())
                                        .setResultsByPartition(answers(topic.partitions()))));
                answer.resultsByTransaction().add(result);
            });
            return CompletableFuture.completedFuture(answer);
        }

        private AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResultCollection answers(
                List<Integer> partitions) {
            var answers = new AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResultCollection();
            partitions.forEach(partition -> answers.add(new AddPartitionsToTxnPartitionResult().setPartitionIndex(
                    partition).setPartitionErrorCode(word.code())));
            return answers;
        }

        @Override
        public CompletableFuture<WriteTxnMarkersResponseData> end(int partition, WriteTxnMarkersRequestData request,
                Duration timeout) {
            return CoordinatorChannel.NONE.end(partition, request, timeout);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.of(directory, 2, coordinator, Map.of("request.timeout.ms", "1000"));
        cluster.create("t", 1, 0, 1);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Errors produce(int leader, int sequence) throws Exception {
        var records = MemoryRecords.withTransactionalRecords(Compression.NONE, PRODUCER, (short) 0, sequence,
                new SimpleRecord(System.currentTimeMillis(), ("v" + sequence).getBytes(StandardCharsets.UTF_8)));
        try (var connection = new RawConnection(cluster.address(leader))) {
            var answer = connection.call(Batches.produce("t", 0, -1, records).setTransactionalId("id").setTimeoutMs(
                    20_000), new ProduceResponseData(), 11);
            return Errors.forCode(answer.responses().iterator().next().partitionResponses().getFirst().errorCode());
        }
    }

    private Errors end(int leader, boolean committed) throws Exception {
        var marker = new WritableTxnMarker().setProducerId(PRODUCER)
                .setProducerEpoch((short) 0)
                .setTransactionResult(committed)
                .setTopics(List.of(new WritableTxnMarkerTopic().setName("t").setPartitionIndexes(List.of(0))));
        try (var connection = new RawConnection(cluster.address(leader))) {
            var answer = connection.call(new WriteTxnMarkersRequestData().setMarkers(List.of(marker)),
                    new WriteTxnMarkersResponseData(), 1);
            return Errors.forCode(answer.markers().getFirst().topics().getFirst().partitions().getFirst().errorCode());
        }
    }

    private PartitionData read(int broker) throws Exception {
        try (var connection = new RawConnection(cluster.address(broker))) {
            return connection.call(Batches.fetch("t", 0, 0).setIsolationLevel((byte) 1), new FetchResponseData(), 12)
                    .responses()
                    .getFirst()
                    .partitions()
                    .getFirst();
        }
    }

    @Test
    void aMarkerIsAnsweredOnceItIsReplicatedAndUntilThenNothingIsStable() throws Exception {
        assertThat(produce(0, 0)).isEqualTo(Errors.NONE);
        cluster.stop(1);

        assertThat(end(0, true)).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(read(0)).returns(0L, PartitionData::lastStableOffset);

        cluster.restart(1);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(end(0, true)).isEqualTo(Errors.NONE));
        assertThat(read(0).lastStableOffset()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aFollowerTellsReadersOfCommittedRecordsTheSame() throws Exception {
        assertThat(produce(0, 0)).isEqualTo(Errors.NONE);
        assertThat(end(0, false)).isEqualTo(Errors.NONE);
        assertThat(produce(0, 1)).isEqualTo(Errors.NONE);

        await().atMost(LIMIT).untilAsserted(() -> assertThat(read(1).highWatermark()).isEqualTo(3));

        assertThat(read(1)).returns(2L, PartitionData::lastStableOffset).satisfies(part -> {
            assertThat(part.abortedTransactions()).isEqualTo(read(0).abortedTransactions()).hasSize(1);
            assertThat(((MemoryRecords) part.records()).batches()).hasSize(2);
        });
    }

    @Test
    void theNextLeaderGoesOnWithWhatIsOpenAndBeginsNothingUnasked() throws Exception {
        assertThat(produce(0, 0)).isEqualTo(Errors.NONE);
        coordinator.word = Errors.TRANSACTION_ABORTABLE;

        cluster.elect("t", 0, 1, 0, 1);
        assertThat(produce(1, 1)).as("of the open one").isEqualTo(Errors.NONE);
        assertThat(end(1, false)).isEqualTo(Errors.NONE);
        cluster.elect("t", 0, 0, 0, 1);

        assertThat(produce(0, 1)).as("replayed after the abort").isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(produce(0, 2)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(read(0)).returns(3L, PartitionData::highWatermark)
                .returns(3L, PartitionData::lastStableOffset));
        assertThat(read(0).abortedTransactions()).hasSize(1);
    }
}
