package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.admin.transaction.HangingTransactions;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;

class TransactionRestTest extends Rest {
    private static final String ABORT_HANGING = CLUSTER + "/topics/orders/partitions/0/transactions:abort-hanging";

    @Autowired
    private HangingTransactions hanging;
    @Autowired
    private MeterRegistry meters;

    private volatile String state = "Ongoing";
    private final List<WriteTxnMarkersRequestData> markers = new ArrayList<>();
    private final List<InitProducerIdRequestData> fences = new ArrayList<>();

    @BeforeEach
    void answer() {
        fake.reset();
        fake.add(TopicImage.of(ShardKind.TRANSACTION.topic(), new UUID(1, 9)).with(FakeCluster.partition(0, 0)));
        fake.add(ShardKind.TRANSACTION, new ShardImage(0, 1000, 1));
        fake.answer(ListTransactionsRequestData.class, _ -> new ListTransactionsResponseData().setTransactionStates(
                List.of(new ListTransactionsResponseData.TransactionState().setTransactionalId("pay"))));
        fake.answer(DescribeTransactionsRequestData.class, asked -> new DescribeTransactionsResponseData()
                .setTransactionStates(asked.transactionalIds().stream().map(this::described).toList()));
        fake.answer(DescribeProducersRequestData.class, TransactionRestTest::producers);
        fake.answer(ListOffsetsRequestData.class, this::lastStable);
        fake.answer(FetchRequestData.class, _ -> new FetchResponseData().setResponses(List.of(
                new FetchableTopicResponse().setTopic("orders").setPartitions(List.of(new PartitionData()
                        .setRecords(MemoryRecords.withRecords(20L, Compression.NONE, new SimpleRecord(5_000, "v"
                                .getBytes(StandardCharsets.UTF_8)))))))));
        fake.answer(InitProducerIdRequestData.class, asked -> {
            fences.add(asked);
            return new InitProducerIdResponseData();
        });
        fake.answer(WriteTxnMarkersRequestData.class, asked -> {
            markers.add(asked);
            return new WriteTxnMarkersResponseData().setMarkers(List.of(new WritableTxnMarkerResult().setTopics(
                    List.of(new WritableTxnMarkerTopicResult().setName("orders").setPartitions(
                            List.of(new WritableTxnMarkerPartitionResult()))))));
        });
    }

    /// Who reads committed records comes no further than the oldest transaction that has not ended.
    private ListOffsetsResponseData lastStable(ListOffsetsRequestData asked) {
        assertThat(asked.isolationLevel()).isEqualTo(IsolationLevel.READ_COMMITTED.id());
        return new ListOffsetsResponseData().setTopics(asked.topics().stream().map(
                topic -> new ListOffsetsTopicResponse()
                        .setName(topic.name()).setPartitions(topic.partitions().stream().map(
                                partition -> new ListOffsetsPartitionResponse().setPartitionIndex(partition
                                        .partitionIndex())
                                        .setOffset(fences.isEmpty() && markers.isEmpty() ? 10 : 30)).toList()))
                .toList());
    }

    private TransactionState described(String id) {
        if (!id.equals("pay")) {
            return new TransactionState().setTransactionalId(id)
                    .setErrorCode(Errors.TRANSACTIONAL_ID_NOT_FOUND.code());
        }
        var described = new TransactionState().setTransactionalId(id).setTransactionState(state).setProducerId(7)
                .setProducerEpoch((short) 2).setTransactionTimeoutMs(60_000).setTransactionStartTimeMs(1_000);
        described.topics().add(new TopicData().setTopic("orders").setPartitions(List.of(0)));
        return described;
    }

    /// Producer 7 is the coordinator's, 8 is nobody's, 9 has nothing open.
    private static DescribeProducersResponseData producers(DescribeProducersRequestData asked) {
        var answer = new DescribeProducersResponseData();
        asked.topics().stream().filter(topic -> topic.name().equals("orders")).forEach(topic -> answer.topics().add(
                new TopicResponse().setName("orders").setPartitions(List.of(new PartitionResponse().setActiveProducers(
                        List.of(producer(7, 10), producer(8, 20), producer(9, -1)))))));
        return answer;
    }

    private static ProducerState producer(long id, long start) {
        return new ProducerState().setProducerId(id).setProducerEpoch(3).setCoordinatorEpoch(5)
                .setCurrentTxnStartOffset(start);
    }

    @Test
    void transactionsAreListedByStateAndAgeAndDescribed() throws Exception {
        http.perform(get(CLUSTER + "/transactions")).andExpect(status().isOk())
                .andExpect(jsonPath("$.data[0].transactional_id").value("pay"))
                .andExpect(jsonPath("$.data[0].state").value("ONGOING"))
                .andExpect(jsonPath("$.data[0].partitions[0].topic_name").value("orders"));
        http.perform(get(CLUSTER + "/transactions?state=EMPTY")).andExpect(jsonPath("$.data.length()").value(0));
        http.perform(get(CLUSTER + "/transactions?older_than_ms=1000")).andExpect(jsonPath("$.data.length()").value(1));
        http.perform(get(CLUSTER + "/transactions/pay")).andExpect(jsonPath("$.producer_id").value(7));
        http.perform(get(CLUSTER + "/transactions/none")).andExpect(status().isNotFound());
    }

    @ParameterizedTest
    @ValueSource(strings = {"state=OPEN", "state=PREPARE-COMMIT", "state=", "older_than_ms=-1", "older_than_ms=x"})
    void aFilterThatMakesNoSenseIsNoListOfNothing(String filter) throws Exception {
        http.perform(get(CLUSTER + "/transactions?" + filter)).andExpect(status().isBadRequest());
    }

    @Test
    void anOpenTransactionIsAbortedByAFenceAndNoOther() throws Exception {
        fake.answer(InitProducerIdRequestData.class, asked -> {
            fences.add(asked);
            state = "PrepareAbort";
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> state = "CompleteAbort");
            return new InitProducerIdResponseData().setErrorCode(Errors.CONCURRENT_TRANSACTIONS.code());
        });
        http.perform(post(CLUSTER + "/transactions/pay:abort")).andExpect(status().isOk())
                .andExpect(jsonPath("$.dry_run").value(false))
                .andExpect(jsonPath("$.partitions[0].topic_name").value("orders"))
                .andExpect(jsonPath("$.partitions[0].last_stable_offset_before").value(10))
                .andExpect(jsonPath("$.partitions[0].last_stable_offset_after").value(30));
        assertThat(state).as("answered when it is over").isEqualTo("CompleteAbort");
        assertThat(fences).singleElement().satisfies(fence -> assertThat(fence.transactionalId()).isEqualTo("pay"));

        http.perform(post(CLUSTER + "/transactions/pay:abort")).andExpect(status().isConflict());
        assertThat(fences).hasSize(1);
    }

    @Test
    void anAbortCanBeTriedOnly() throws Exception {
        http.perform(post(CLUSTER + "/transactions/pay:abort").contentType(MediaType.APPLICATION_JSON).content(
                "{\"dry_run\":true}")).andExpect(status().isOk()).andExpect(jsonPath("$.dry_run").value(true))
                .andExpect(jsonPath("$.producer_id").value(7))
                .andExpect(jsonPath("$.partitions[0].last_stable_offset_before").value(10))
                .andExpect(jsonPath("$.partitions[0].last_stable_offset_after").doesNotExist());
        assertThat(fences).isEmpty();
        http.perform(post(CLUSTER + "/transactions/pay:abort").contentType(MediaType.APPLICATION_JSON).content(
                "{\"dry\":true}")).andExpect(status().isBadRequest());
        assertThat(fences).isEmpty();
    }

    /// Else what it knows would be taken for what nobody knows.
    @ParameterizedTest
    @EnumSource(value = Errors.class, names = {"COORDINATOR_LOAD_IN_PROGRESS", "NOT_COORDINATOR", "REQUEST_TIMED_OUT"})
    void nothingIsSaidToHangWhileACoordinatorDoesNotTell(Errors error) throws Exception {
        fake.answer(ListTransactionsRequestData.class, _ -> new ListTransactionsResponseData().setErrorCode(error
                .code()));
        http.perform(get(CLUSTER + "/transactions:hanging")).andExpect(status().isServiceUnavailable());
        http.perform(get(CLUSTER + "/transactions")).andExpect(status().isOk()).andExpect(jsonPath("$.data.length()")
                .value(0));
    }

    /// Else what hangs there would be taken for ended.
    @Test
    void nothingIsSaidToHangWhileABrokerDoesNotTell() throws Exception {
        hanging.look();
        assertThat(hanging.count()).hasValue(1);

        fake.answer(DescribeProducersRequestData.class, _ -> new DescribeProducersResponseData().setTopics(List.of(
                new TopicResponse().setName("orders").setPartitions(List.of(new PartitionResponse().setErrorCode(
                        Errors.NOT_LEADER_OR_FOLLOWER.code()))))));
        http.perform(get(CLUSTER + "/transactions:hanging")).andExpect(status().isServiceUnavailable());
        fake.fail(DescribeProducersRequestData.class, new IllegalStateException("it hangs"));
        http.perform(get(CLUSTER + "/transactions:hanging")).andExpect(status().is5xxServerError());

        hanging.look();
        assertThat(hanging.count()).hasValue(1);
        seeNothing();
    }

    /// Others share what was seen.
    private void seeNothing() {
        fake.answer(DescribeProducersRequestData.class, _ -> new DescribeProducersResponseData());
        hanging.look();
    }

    @Test
    void aTransactionThatNoCoordinatorKnowsHangsAndIsEndedInItsPartition() throws Exception {
        http.perform(get(CLUSTER + "/transactions:hanging")).andExpect(status().isOk())
                .andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].producer_id").value(8))
                .andExpect(jsonPath("$.data[0].transaction_start_offset").value(20))
                .andExpect(jsonPath("$.data[0].last_stable_offset").value(10))
                .andExpect(jsonPath("$.data[0].open_since").value("1970-01-01T00:00:05Z"));
        http.perform(get(CLUSTER + "/topics/orders/partitions/0/producers"))
                .andExpect(jsonPath("$.data.length()").value(3));

        abortHanging("{\"producer_id\": 8, \"start_offset\": 20, \"dry_run\": true}", 200);
        assertThat(markers).isEmpty();
        abortHanging("{\"producer_id\": 8, \"start_offset\": 20}", 200);
        assertThat(markers).singleElement().satisfies(asked -> {
            var marker = asked.markers().getFirst();
            assertThat(marker.producerEpoch()).isEqualTo((short) 3);
            assertThat(marker.coordinatorEpoch()).isEqualTo(5);
            assertThat(marker.transactionResult()).isFalse();
        });
        abortHanging("{\"producer_id\": 8, \"start_offset\": 21}", 409);
        abortHanging("{\"producer_id\": 8}", 400);
    }

    /// Its coordinator may be about to commit it, and half of it would be gone.
    @Test
    void aTransactionThatItsCoordinatorKnowsIsEndedInOnePartitionByForceOnly() throws Exception {
        abortHanging("{\"producer_id\": 7, \"start_offset\": 10}", 409);
        assertThat(markers).isEmpty();

        abortHanging("{\"producer_id\": 7, \"start_offset\": 10, \"force\": true}", 200);
        assertThat(markers).hasSize(1);
    }

    @Test
    void whatHangsIsInTheHealthAsOfTheLastLook() throws Exception {
        http.perform(get(CLUSTER + "/health")).andExpect(jsonPath("$.hanging_transactions").doesNotExist());

        hanging.look();
        http.perform(get(CLUSTER + "/health")).andExpect(jsonPath("$.hanging_transactions").value(1)).andExpect(
                jsonPath("$.reasons[?(@.message =~ /1 transactions.*/)].related").value(SELF
                        + "/transactions%3Ahanging"));

        assertThat(meters.get("millrace.transactions.hanging").gauge().value()).isEqualTo(1);
        fake.fail(DescribeTransactionsRequestData.class, new IllegalStateException("it hangs"));
        hanging.look();
        http.perform(get(CLUSTER + "/health")).andExpect(jsonPath("$.hanging_transactions").value(1));
        seeNothing();
        http.perform(get(CLUSTER + "/health")).andExpect(jsonPath("$.hanging_transactions").value(0));
    }

    private void abortHanging(String body, int status) throws Exception {
        http.perform(post(ABORT_HANGING).contentType(MediaType.APPLICATION_JSON).content(body))
                .andExpect(status().is(status));
    }
}
