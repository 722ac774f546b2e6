package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.PooledByteBufAllocator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchIT {
    private static final int BY_NAME = 12;
    private static final int LATEST = 18;
    /// Records of almost a megabyte.
    private static final int LARGE = 40;

    @TempDir
    Path directory;
    private TestBroker broker;
    private RawConnection client;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory);
        client = broker.connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 9, 10, 11, 12})
    void everyVersionByNameGivesTheRecords(int version) throws Exception {
        broker.create("t");
        produce("t", 0, "a");

        assertThat(first(Batches.fetch("t", 0, 0), version)).returns(1L, PartitionData::highWatermark).satisfies(
                part -> assertThat(part.records().sizeInBytes()).isPositive());
    }

    @ParameterizedTest
    @ValueSource(ints = {13, 14, 15, 16, 17, 18})
    void everyVersionByIdGivesTheRecords(int version) throws Exception {
        var id = kafka(broker.create("t"));
        produce("t", 0, "a");

        assertThat(first(Batches.fetch(id, 0, 0), version)).returns(1L, PartitionData::highWatermark).satisfies(
                part -> assertThat(part.records().sizeInBytes()).isPositive());
    }

    @Test
    void fetchAtTheEndIsAnsweredWhenARecordComes() throws Exception {
        broker.create("t");
        client.send(Batches.fetch("t", 0, 0).setMaxWaitMs(Batches.LONG_WAIT_MILLIS), BY_NAME);
        awaitWaiting(1);

        produce("t", 0, "a");

        assertThat(part(client.receive(new FetchResponseData(), BY_NAME)).records().sizeInBytes()).isPositive();
        awaitWaiting(0);
    }

    @Test
    void fetchForManyBytesWaitsForAllOfThem() throws Exception {
        broker.create("t", 2, Map.of());
        int batch = Batches.batch("a").sizeInBytes();
        var request = Batches.fetch("t", 0, 0).setMinBytes(3 * batch).setMaxWaitMs(Batches.LONG_WAIT_MILLIS);
        request.topics().getFirst().partitions().add(Batches.partition(1, 0));
        client.send(request, BY_NAME);
        awaitWaiting(1);

        produce("t", 0, "a");
        produce("t", 1, "b");
        assertThat(waiting()).isEqualTo(1);
        produce("t", 0, "c");

        var parts = client.receive(new FetchResponseData(), BY_NAME).responses().getFirst().partitions();
        assertThat(parts).extracting(part -> part.records().sizeInBytes()).containsExactly(2 * batch, batch);
    }

    @Test
    void fetchIsAnsweredEmptyOnceItsTimeIsOver() throws Exception {
        broker.create("t");

        var part = first(Batches.fetch("t", 0, 0).setMaxWaitMs(100), BY_NAME);

        assertThat(part.errorCode()).isZero();
        assertThat(part.records().sizeInBytes()).isZero();
    }

    @Test
    void fetchOfAClientThatIsGoneWaitsNoMore() throws Exception {
        broker.create("t");
        client.send(Batches.fetch("t", 0, 0).setMaxWaitMs(Batches.LONG_WAIT_MILLIS), BY_NAME);
        awaitWaiting(1);

        client.reset();

        awaitWaiting(0);
    }

    @Test
    void fetchThatWaitsIsToldWhenTheLeaderChanges() throws Exception {
        broker.create("t");
        client.send(withEpoch(0).setMaxWaitMs(Batches.LONG_WAIT_MILLIS), BY_NAME);
        awaitWaiting(1);

        broker.put("t", TestBroker.ledByAnother(0, 1));

        assertThat(error(part(client.receive(new FetchResponseData(), BY_NAME)))).isEqualTo(
                Errors.FENCED_LEADER_EPOCH);
    }

    @Test
    void fetchThatWaitsIsToldWhenTheTopicIsDeleted() throws Exception {
        broker.create("t");
        client.send(Batches.fetch("t", 0, 0).setMaxWaitMs(Batches.LONG_WAIT_MILLIS), BY_NAME);
        awaitWaiting(1);

        broker.delete("t");

        assertThat(error(part(client.receive(new FetchResponseData(), BY_NAME)))).isEqualTo(
                Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void batchLargerThanAllLimitsIsGivenWhole() throws Exception {
        broker.create("t");
        produce("t", 0, "x".repeat(100_000));
        var request = Batches.fetch("t", 0, 0).setMaxBytes(1000);
        request.topics().getFirst().partitions().getFirst().setPartitionMaxBytes(1000);

        assertThat(first(request, BY_NAME).records().sizeInBytes()).isGreaterThan(100_000);
    }

    @Test
    void onlyTheFirstPartitionMayExceedTheLimits() throws Exception {
        broker.create("t", 2, Map.of());
        produce("t", 0, "x".repeat(100_000));
        produce("t", 1, "x".repeat(100_000));
        var request = Batches.fetch("t", 0, 0).setMaxBytes(1000);
        request.topics().getFirst().partitions().add(Batches.partition(1, 0));

        var parts = client.call(request, new FetchResponseData(), BY_NAME).responses().getFirst().partitions();

        assertThat(parts.get(0).records().sizeInBytes()).isGreaterThan(100_000);
        assertThat(parts.get(1).records().sizeInBytes()).isZero();
        assertThat(parts.get(1).highWatermark()).isEqualTo(1);
    }

    @Test
    void offsetsOutsideOfTheLogAreOutOfRange() throws Exception {
        broker.create("t");
        produce("t", 0, "a");

        assertThat(error(first(Batches.fetch("t", 0, 1), BY_NAME))).isEqualTo(Errors.NONE);
        assertThat(error(first(Batches.fetch("t", 0, 2), BY_NAME))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(error(first(Batches.fetch("t", 0, -1), BY_NAME))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void leaderEpochsAreCompared() throws Exception {
        broker.create("t");
        broker.put("t", TestBroker.leading(0, 4, List.of(1), List.of(1)));

        assertThat(error(first(withEpoch(3), BY_NAME))).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(error(first(withEpoch(5), BY_NAME))).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
        assertThat(error(first(withEpoch(4), BY_NAME))).isEqualTo(Errors.NONE);
    }

    @Test
    void clientThatAsksTheWrongBrokerIsToldTheLeaderAndItsAddress() throws Exception {
        var id = kafka(broker.create("t"));
        broker.put("t", TestBroker.ledByAnother(0, 3));

        var request = Batches.fetch(id, 0, 0);
        request.topics().getFirst().partitions().getFirst().setCurrentLeaderEpoch(0);

        var response = client.call(request, new FetchResponseData(), LATEST);

        assertThat(part(response).currentLeader().leaderId()).isEqualTo(2);
        assertThat(part(response).currentLeader().leaderEpoch()).isEqualTo(3);
        assertThat(response.nodeEndpoints().find(2)).isNotNull();
    }

    @Test
    void zstdIsNotSentToAClientThatCannotKnowIt() throws Exception {
        broker.create("t", 1, Map.of("compression.type", "zstd"));
        produce("t", 0, "a");

        assertThat(error(first(Batches.fetch("t", 0, 0), 9))).isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
        assertThat(error(first(Batches.fetch("t", 0, 0), 10))).isEqualTo(Errors.NONE);
    }

    @Test
    void sessionTellsOnlyOfPartitionsThatChanged() throws Exception {
        broker.create("t", 2, Map.of());
        int session = openSession();
        produce("t", 1, "a");

        var response = client.call(next(session, 1), new FetchResponseData(), BY_NAME);

        assertThat(response.sessionId()).isEqualTo(session);
        assertThat(response.responses().getFirst().partitions()).extracting(PartitionData::partitionIndex)
                .containsExactly(1);
    }

    @Test
    void sessionWithoutNewsIsAnsweredWithNothing() throws Exception {
        broker.create("t", 2, Map.of());
        int session = openSession();

        var response = client.call(next(session, 1), new FetchResponseData(), BY_NAME);

        assertThat(response.errorCode()).isZero();
        assertThat(response.responses()).isEmpty();
    }

    @Test
    void sessionOutlivesItsConnection() throws Exception {
        broker.create("t", 2, Map.of());
        int session = openSession();
        client.close();
        client = broker.connect();

        assertThat(client.call(next(session, 1), new FetchResponseData(), BY_NAME).errorCode()).isZero();
    }

    @Test
    void sessionThatIsUnknownOrAtAnotherEpochIsRefused() throws Exception {
        broker.create("t", 2, Map.of());
        int session = openSession();

        assertThat(client.call(next(session, 7), new FetchResponseData(), BY_NAME).errorCode()).isEqualTo(
                Errors.INVALID_FETCH_SESSION_EPOCH.code());
        assertThat(client.call(next(session ^ 1, 1), new FetchResponseData(), BY_NAME).errorCode()).isEqualTo(
                Errors.FETCH_SESSION_ID_NOT_FOUND.code());
    }

    @Test
    void topicMadeAnewDoesNotGiveTheOldOnesRecords() throws Exception {
        var old = kafka(broker.create("t"));
        produce("t", 0, "a");
        produce("t", 0, "b");
        var request = Batches.fetch(old, 0, 0).setSessionId(0).setSessionEpoch(0);
        int session = client.call(request, new FetchResponseData(), LATEST).sessionId();
        broker.delete("t");
        var fresh = kafka(broker.create("t"));
        produce("t", 0, "c");

        assertThat(error(first(Batches.fetch(old, 0, 0), LATEST))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
        assertThat(error(part(client.call(next(session, 1), new FetchResponseData(), LATEST)))).isEqualTo(
                Errors.INCONSISTENT_TOPIC_ID);
        assertThat(first(Batches.fetch(fresh, 0, 0), LATEST).highWatermark()).isEqualTo(1);
        assertThat(error(first(Batches.fetch(fresh, 0, 2), LATEST))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    /// They are many times what the broker takes for them, whether its client reads or not.
    @Test
    void recordsLeaveTheirFileWithoutPassingThroughTheMemoryOfTheBroker() throws Exception {
        broker.create("t");
        var value = "v".repeat(900_000);
        for (int i = 0; i < LARGE; i++) {
            produce("t", 0, value);
        }
        long total = (long) LARGE * Batches.batch(value).sizeInBytes();
        var request = Batches.fetch("t", 0, 0).setMaxBytes(Integer.MAX_VALUE);
        request.topics().getFirst().partitions().getFirst().setPartitionMaxBytes(Integer.MAX_VALUE);
        long heap = allocatedByOthers();
        long direct = direct();

        client.send(request, BY_NAME);
        await().until(() -> sent() >= total);

        long heapThen = allocatedByOthers() - heap;
        long directThen = direct() - direct;
        assertThat(part(client.receive(new FetchResponseData(), BY_NAME)).records().sizeInBytes()).isEqualTo(
                (int) total);
        assertThat(List.of(heapThen, allocatedByOthers() - heap, directThen, direct() - direct)).allMatch(
                bytes -> bytes < total / 4);
    }

    private double sent() {
        return broker.meters().get("kafka.server.brokertopicmetrics.bytesout").tag("topic", "t").counter().count();
    }

    /// Bytes of buffers outside of the heap.
    private static long direct() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    /// Bytes on the heap that all threads but this one have taken so far.
    private static long allocatedByOthers() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            sum += id == Thread.currentThread().threadId() ? 0 : Math.max(0, threads.getThreadAllocatedBytes(id));
        }
        return sum;
    }

    @Test
    void bytesThatWereSentAreCounted() throws Exception {
        broker.create("t");
        produce("t", 0, "a");
        var part = first(Batches.fetch("t", 0, 0), BY_NAME);

        assertThat(broker.meters().get("kafka.server.brokertopicmetrics.bytesout").tag("topic", "t").counter().count())
                .isEqualTo(part.records().sizeInBytes());
        assertThat(broker.meters().get("kafka.server.brokertopicmetrics.totalfetchrequests").tag("topic", "t").counter()
                .count()).isEqualTo(1);
    }

    private int openSession() throws Exception {
        var request = Batches.fetch("t", 0, 0).setSessionId(0).setSessionEpoch(0);
        request.topics().getFirst().partitions().add(Batches.partition(1, 0));
        int session = client.call(request, new FetchResponseData(), BY_NAME).sessionId();
        assertThat(session).isPositive();
        return session;
    }

    private static FetchRequestData next(int session, int epoch) {
        return new FetchRequestData().setSessionId(session).setSessionEpoch(epoch).setMaxWaitMs(0).setMinBytes(1)
                .setMaxBytes(1 << 20).setTopics(List.<FetchTopic>of());
    }

    private static FetchRequestData withEpoch(int epoch) {
        var request = Batches.fetch("t", 0, 0);
        request.topics().getFirst().partitions().getFirst().setCurrentLeaderEpoch(epoch);
        return request;
    }

    private void produce(String topic, int partition, String value) throws Exception {
        try (var producer = broker.connect()) {
            var answer = producer.call(Batches.produce(topic, partition, -1, Batches.batch(value)),
                    new ProduceResponseData(), 12);
            assertThat(answer.responses().iterator().next().partitionResponses().getFirst().errorCode()).isZero();
        }
    }

    private void awaitWaiting(int count) {
        await().atMost(Duration.ofSeconds(10)).until(() -> waiting() == count);
    }

    private int waiting() {
        return (int) broker.meters().get("kafka.server.delayedoperationpurgatory.purgatorysize").tag("delayedOperation",
                "Fetch").gauge().value();
    }

    private static Uuid kafka(java.util.UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private PartitionData first(FetchRequestData request, int version) throws Exception {
        return part(client.call(request, new FetchResponseData(), version));
    }

    private static PartitionData part(FetchResponseData response) {
        return response.responses().getFirst().partitions().getFirst();
    }

    private static Errors error(PartitionData part) {
        return Errors.forCode(part.errorCode());
    }
}
