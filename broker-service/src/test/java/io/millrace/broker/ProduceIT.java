package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.image.ShardImage;
import io.millrace.wire.api.ShardEpoch;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProduceIT {
    private static final int LATEST = 12;
    private static final int LIST_OFFSETS = 10;
    private static final long TEN_YEARS_MILLIS = 315_360_000_000L;
    private static final String GROUPS = "__consumer_offsets";

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
    @ValueSource(ints = {3, 5, 7, 8, 9, 10, 11, 12})
    void everyVersionAppendsAndAnswersTheOffset(int version) throws Exception {
        broker.create("t");

        assertThat(answer(Batches.produce("t", 0, 1, Batches.batch("a", "b")), version)).returns((short) 0,
                PartitionProduceResponse::errorCode).returns(0L, PartitionProduceResponse::baseOffset);
        assertThat(answer(Batches.produce("t", 0, -1, Batches.batch("c")), version)).returns(2L,
                PartitionProduceResponse::baseOffset);
    }

    @Test
    void version13NamesTopicsById() throws Exception {
        var id = broker.create("t");
        var request = Batches.produce("", 0, 1, Batches.batch("a"));
        request.topicData().iterator().next().setTopicId(new Uuid(id.getMostSignificantBits(), id
                .getLeastSignificantBits()));

        assertThat(error(request, 13)).isEqualTo(Errors.NONE);
        request.topicData().iterator().next().setTopicId(Uuid.randomUuid());
        assertThat(error(request, 13)).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, -2})
    void acksThatMeanNothingAreRefusedForEachPartitionAndNothingIsAppended(int acks) throws Exception {
        broker.create("t");

        assertThat(error(Batches.produce("t", 0, acks, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.INVALID_REQUIRED_ACKS);
        assertThat(answer(Batches.produce("t", 0, 1, Batches.batch("a")), LATEST).baseOffset()).isZero();
    }

    @Test
    void acksNoneThatSucceedsIsNotAnswered() throws Exception {
        broker.create("t");

        client.send(Batches.produce("t", 0, 0, Batches.batch("a")), LATEST);
        var next = client.call(new ApiVersionsRequestData(), new ApiVersionsResponseData(), 0);

        assertThat(next.errorCode()).isZero();
        assertThat(highWatermark("t")).isEqualTo(1);
    }

    @Test
    void acksNoneToAnUnknownTopicClosesTheConnectionWithoutAByte() throws Exception {
        client.send(Batches.produce("nowhere", 0, 0, Batches.batch("a")), LATEST);

        assertThat(client.closedSilently()).isTrue();
    }

    @Test
    void acksNoneToABrokerThatDoesNotLeadClosesTheConnection() throws Exception {
        broker.create("t");
        broker.put("t", TestBroker.ledByAnother(0, 1));

        client.send(Batches.produce("t", 0, 0, Batches.batch("a")), LATEST);

        assertThat(client.closedSilently()).isTrue();
    }

    @Test
    void acksNoneWithABadCrcClosesTheConnection() throws Exception {
        broker.create("t");

        client.send(Batches.produce("t", 0, 0, spoilt(Batches.batch("a"))), LATEST);

        assertThat(client.closedSilently()).isTrue();
        client = broker.connect();
        assertThat(highWatermark("t")).isZero();
    }

    @Test
    void badCrcIsRefusedAndItsNeighbourIsAppended() throws Exception {
        broker.create("t", 2, Map.of());
        var request = Batches.produce("t", 0, 1, spoilt(Batches.batch("a")));
        request.topicData().iterator().next().partitionData().addAll(Batches.produce("t", 1, 1, Batches.batch("b"))
                .topicData()
                .iterator()
                .next()
                .partitionData());

        var parts = client.call(request, new ProduceResponseData(), LATEST).responses().iterator().next()
                .partitionResponses();

        assertThat(parts).extracting(PartitionProduceResponse::errorCode).containsExactly(Errors.CORRUPT_MESSAGE.code(),
                Errors.NONE.code());
    }

    @Test
    void oldFormatTwoBatchesAndNoneAreRefused() throws Exception {
        broker.create("t");
        var old = MemoryRecords.withRecords((byte) 1, Compression.NONE, new SimpleRecord("a".getBytes(
                StandardCharsets.UTF_8)));
        var one = Batches.batch("a").buffer();
        var two = ByteBuffer.allocate(one.remaining() * 2).put(one.duplicate()).put(one.duplicate()).flip();

        assertThat(error(Batches.produce("t", 0, 1, old), LATEST)).isEqualTo(Errors.INVALID_RECORD);
        assertThat(error(Batches.produce("t", 0, 1, MemoryRecords.readableRecords(two)), LATEST)).isEqualTo(
                Errors.INVALID_RECORD);
        assertThat(error(Batches.produce("t", 0, 1, MemoryRecords.EMPTY), LATEST)).isEqualTo(Errors.INVALID_RECORD);
        assertThat(highWatermark("t")).isZero();
    }

    @Test
    void zstdNeedsVersion7() throws Exception {
        broker.create("t");
        var batch = Batches.batch(Compression.zstd().build(), "a");

        assertThat(error(Batches.produce("t", 0, 1, batch), 6)).isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
        assertThat(error(Batches.produce("t", 0, 1, batch), 7)).isEqualTo(Errors.NONE);
    }

    @Test
    void batchesThatAreCompressedAnewAreAppendedInTheOrderInWhichTheyCame() throws Exception {
        broker.create("t", 1, Map.of("compression.type", "zstd"));
        var codecs = List.of(Compression.NONE, Compression.lz4().build(), Compression.zstd().build());
        int count = 30;

        for (int i = 0; i < count; i++) {
            client.send(Batches.produce("t", 0, i % 2, Batches.idempotent(codecs.get(i % 3), 7, i, "v".repeat(20_000)
                    + i)).setTimeoutMs(30_000), LATEST);
        }

        for (int i = 1; i < count; i += 2) {
            var part = client.receive(new ProduceResponseData(), LATEST).responses().iterator().next()
                    .partitionResponses().getFirst();
            assertThat(part).as("batch %d", i).returns((short) 0, PartitionProduceResponse::errorCode).returns((long) i,
                    PartitionProduceResponse::baseOffset);
        }
        try (var reader = broker.connect()) {
            var records = reader.call(Batches.fetch("t", 0, 0), new FetchResponseData(), 12).responses()
                    .getFirst().partitions().getFirst().records();
            assertThat(((MemoryRecords) records).batches()).hasSize(count).allMatch(batch -> batch
                    .compressionType() == CompressionType.ZSTD);
        }
        assertThat(broker.meters().get("millrace.produce.long.checks").counter().count()).isEqualTo(count * 2 / 3.0);
        assertThat(broker.meters().get("millrace.produce.kept").gauge().value()).isZero();
    }

    @Test
    void batchThatIsRefusedAfterItWasDecompressedLeavesNoOtherBehind() throws Exception {
        broker.create("t", 1, Map.of("cleanup.policy", "compact"));
        var keyless = Batches.idempotent(Compression.gzip().build(), 7, 0, "a");

        client.send(Batches.produce("t", 0, -1, keyless).setTimeoutMs(30_000), LATEST);
        client.send(Batches.produce("t", 0, -1, Batches.batch("b")).setTimeoutMs(30_000), LATEST);

        var refused = client.receive(new ProduceResponseData(), LATEST).responses().iterator().next()
                .partitionResponses().getFirst();
        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_RECORD);
        assertThat(refused.errorMessage()).contains("1 record errors");
        assertThat(refused.recordErrors()).singleElement().returns(0, BatchIndexAndErrorMessage::batchIndex)
                .satisfies(record -> assertThat(record.batchIndexErrorMessage()).contains("without a key"));
        assertThat(client.receive(new ProduceResponseData(), LATEST).responses().iterator().next()
                .partitionResponses().getFirst().baseOffset()).isZero();
        assertThat(answer(Batches.produce("t", 0, 1, keyless).setTimeoutMs(30_000), 7)).as(
                "versions before 8 do not carry it").returns(
                        Errors.INVALID_RECORD.code(), PartitionProduceResponse::errorCode).satisfies(part -> assertThat(
                                part
                                        .recordErrors()).isEmpty());
        client.send(Batches.produce("t", 0, 0, keyless), LATEST);
        assertThat(client.closedSilently()).as("acks=0 that failed").isTrue();
    }

    @Test
    void timesOutsideOfTheLimitsAreRefusedRecordByRecord() throws Exception {
        broker.create("t", 1, Map.of("message.timestamp.after.max.ms", "3600000", "message.timestamp.before.max.ms",
                "3600000"));
        long now = System.currentTimeMillis();
        var records = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(now + 7_200_000, "a".getBytes(
                StandardCharsets.UTF_8)), new SimpleRecord(now, "b".getBytes(StandardCharsets.UTF_8)), new SimpleRecord(
                        now - 7_200_000, "c".getBytes(StandardCharsets.UTF_8)));

        var refused = answer(Batches.produce("t", 0, 1, records), LATEST);

        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(refused.recordErrors()).extracting(BatchIndexAndErrorMessage::batchIndex).containsExactly(0, 2);
        broker.create("free");
        assertThat(error(Batches.produce("free", 0, 1, records), LATEST)).isEqualTo(Errors.NONE);
    }

    @Test
    void timeOfTheLogIsWhatEverybodySeesWhateverTheClientsClockSays() throws Exception {
        broker.create("t", 1, Map.of("message.timestamp.type", "LogAppendTime"));
        long before = System.currentTimeMillis();
        var tenYearsAhead = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(before + TEN_YEARS_MILLIS,
                "a".getBytes(StandardCharsets.UTF_8)), new SimpleRecord(0, "b".getBytes(StandardCharsets.UTF_8)));

        long told = answer(Batches.produce("t", 0, 1, tenYearsAhead), LATEST).logAppendTimeMs();

        assertThat(told).isBetween(before, System.currentTimeMillis());
        var stored = (MemoryRecords) client.call(Batches.fetch("t", 0, 0), new FetchResponseData(), LATEST).responses()
                .getFirst().partitions().getFirst().records();
        var batch = stored.batches().iterator().next();
        assertThat(batch.isValid()).isTrue();
        assertThat(batch.maxTimestamp()).isEqualTo(told);
        assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(stored.records()).extracting(Record::timestamp).containsExactly(told, told);
        assertThat(offsetAt(before)).isZero();
        assertThat(offsetAt(told + 1)).isEqualTo(-1);
    }

    private long offsetAt(long timestamp) throws Exception {
        var topic = new ListOffsetsTopic().setName("t").setPartitions(List.of(new ListOffsetsPartition()
                .setPartitionIndex(0).setTimestamp(timestamp)));
        return client.call(new ListOffsetsRequestData().setReplicaId(-1).setTopics(List.of(topic)),
                new ListOffsetsResponseData(), LIST_OFFSETS).topics().getFirst().partitions().getFirst().offset();
    }

    @Test
    void batchLargerThanTheTopicAllowsIsRefusedAndCounted() throws Exception {
        broker.create("t", 1, Map.of("max.message.bytes", "100"));

        assertThat(error(Batches.produce("t", 0, 1, Batches.batch("x".repeat(200))), LATEST)).isEqualTo(
                Errors.MESSAGE_TOO_LARGE);
        assertThat(broker.meters().get("kafka.server.brokertopicmetrics.bytesrejected").tag("topic", "t").counter()
                .count()).isPositive();
    }

    @Test
    void whatIsSetForAllBrokersHoldsForTopicsThatSayNothingUntilItIsReset() throws Exception {
        broker.create("t");
        var large = Batches.batch("x".repeat(200));

        broker.setForAll(Map.of("message.max.bytes", "100"));
        assertThat(error(Batches.produce("t", 0, 1, large), LATEST)).isEqualTo(Errors.MESSAGE_TOO_LARGE);

        broker.setForAll(Map.of());
        assertThat(error(Batches.produce("t", 0, 1, large), LATEST)).isEqualTo(Errors.NONE);
    }

    @Test
    void repeatedBatchIsAnsweredWithItsOffsetAndNotWrittenTwice() throws Exception {
        broker.create("t");
        answer(Batches.produce("t", 0, -1, Batches.idempotent(7, 0, "a")), LATEST);
        var second = answer(Batches.produce("t", 0, -1, Batches.idempotent(7, 1, "b")), LATEST);

        var repeated = answer(Batches.produce("t", 0, -1, Batches.idempotent(7, 1, "b")), LATEST);

        assertThat(repeated.baseOffset()).isEqualTo(second.baseOffset()).isEqualTo(1);
        assertThat(highWatermark("t")).isEqualTo(2);
    }

    @Test
    void missingSequenceIsRefusedAlsoAfterARestart() throws Exception {
        broker.create("t");
        answer(Batches.produce("t", 0, -1, Batches.idempotent(7, 0, "a")), LATEST);
        client.close();
        broker.restart();
        client = broker.connect();

        assertThat(error(Batches.produce("t", 0, -1, Batches.idempotent(7, 5, "f")), LATEST)).isEqualTo(
                Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(answer(Batches.produce("t", 0, -1, Batches.idempotent(7, 1, "b")), LATEST).baseOffset()).isEqualTo(
                1);
    }

    @Test
    void markerIsNotAClientsToWrite() throws Exception {
        broker.create("t");
        var marker = MemoryRecords.withEndTransactionMarker(7, (short) 0, new EndTransactionMarker(
                ControlRecordType.COMMIT, 0));

        assertThat(error(Batches.produce("t", 0, -1, marker), LATEST)).isEqualTo(Errors.INVALID_RECORD);
        assertThat(highWatermark("t")).isZero();
    }

    @Test
    void clientThatAsksTheWrongBrokerIsToldTheLeaderAndItsAddress() throws Exception {
        broker.create("t");
        broker.put("t", TestBroker.ledByAnother(0, 3));

        var response = client.call(Batches.produce("t", 0, 1, Batches.batch("a")), new ProduceResponseData(), LATEST);

        var part = response.responses().iterator().next().partitionResponses().getFirst();
        assertThat(Errors.forCode(part.errorCode())).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(part.currentLeader().leaderId()).isEqualTo(2);
        assertThat(part.currentLeader().leaderEpoch()).isEqualTo(3);
        assertThat(response.nodeEndpoints().find(2)).isNotNull();
    }

    @Test
    void unknownTopicAndUnknownPartitionAreRefused() throws Exception {
        broker.create("t");

        assertThat(error(Batches.produce("nowhere", 0, 1, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(Batches.produce("t", 9, 1, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(Batches.produce("t", -1, 1, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void tooFewInSyncReplicasRefuseAcksAllAndNothingElse() throws Exception {
        broker.create("t", 1, Map.of("min.insync.replicas", "2"));
        broker.put("t", TestBroker.leading(0, 1, List.of(1, 2), List.of(1)));

        assertThat(error(Batches.produce("t", 0, -1, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.NOT_ENOUGH_REPLICAS);
        assertThat(error(Batches.produce("t", 0, 1, Batches.batch("a")), LATEST)).isEqualTo(Errors.NONE);
    }

    @Test
    void acksAllWaitsForTheFollowersAndGivesUpInTime() throws Exception {
        broker.create("t");
        broker.put("t", TestBroker.leading(0, 1, List.of(1, 2), List.of(1, 2)));

        assertThat(error(Batches.produce("t", 0, -1, Batches.batch("a")), LATEST)).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(highWatermark("t")).isZero();
    }

    @Test
    void acksAllIsAnsweredOnceTheFollowerLeavesTheInSyncReplicas() throws Exception {
        broker.create("t");
        broker.put("t", TestBroker.leading(0, 1, List.of(1, 2), List.of(1, 2)));
        client.send(Batches.produce("t", 0, -1, Batches.batch("a")).setTimeoutMs(20_000), LATEST);

        broker.put("t", TestBroker.leading(0, 2, List.of(1, 2), List.of(1)));

        var response = client.receive(new ProduceResponseData(), LATEST);
        assertThat(response.responses().iterator().next().partitionResponses().getFirst().errorCode()).isZero();
        assertThat(highWatermark("t")).isEqualTo(1);
    }

    @Test
    void internalTopicTakesBatchesOnlyOfItsShardsOwner() throws Exception {
        broker.create(GROUPS);
        var admin = broker.connect().as("__admin_client");

        assertThat(error(Batches.produce(GROUPS, 0, -1, Batches.batch("a")), LATEST)).isEqualTo(
                Errors.INVALID_TOPIC_EXCEPTION);
        assertThat(error(owned(3, 1), LATEST)).isEqualTo(Errors.NONE);
        assertThat(part(admin, Batches.produce(GROUPS, 0, -1, Batches.batch("a")), LATEST).errorCode()).isZero();
        admin.close();
    }

    @Test
    void deposedOwnerOfAShardIsRefused() throws Exception {
        broker.create(GROUPS);

        assertThat(error(owned(3, 1), LATEST)).isEqualTo(Errors.NONE);
        assertThat(error(owned(2, 9), LATEST)).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        broker.put(new ShardImage(0, 1000, 5));
        assertThat(error(owned(4, 9), LATEST)).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(error(owned(5, 1), LATEST)).isEqualTo(Errors.NONE);
    }

    @Test
    void anAppendThatItsOwnerGaveUpIsRefusedWhereItComesAfterANewerOne() throws Exception {
        broker.create(GROUPS);

        assertThat(error(owned(3, 7), LATEST)).isEqualTo(Errors.NONE);
        assertThat(error(owned(3, 6), LATEST)).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(error(owned(3, 8), LATEST)).isEqualTo(Errors.NONE);
        assertThat(error(owned(4, 1), LATEST)).isEqualTo(Errors.NONE);
    }

    @Test
    void everyBatchIsCountedOnceForItsTopicAndForAll() throws Exception {
        broker.create("t");
        answer(Batches.produce("t", 0, 1, Batches.batch("a", "b")), LATEST);

        for (var topic : List.of("t", "")) {
            assertThat(broker.meters().get("kafka.server.brokertopicmetrics.messagesin").tag("topic", topic).counter()
                    .count()).isEqualTo(2);
            assertThat(broker.meters().get("kafka.server.brokertopicmetrics.totalproducerequests").tag("topic", topic)
                    .counter()
                    .count()).isEqualTo(1);
        }
    }

    private static ProduceRequestData owned(int epoch, long append) {
        var request = Batches.produce(GROUPS, 0, -1, Batches.batch("a"));
        new ShardEpoch(epoch, append).mark(request);
        return request;
    }

    private static MemoryRecords spoilt(MemoryRecords records) {
        var bytes = records.buffer();
        int last = bytes.limit() - 1;
        bytes.put(last, (byte) (bytes.get(last) ^ 0x55));
        return MemoryRecords.readableRecords(bytes);
    }

    private long highWatermark(String topic) throws Exception {
        return client.call(Batches.fetch(topic, 0, 0), new FetchResponseData(), LATEST).responses().getFirst()
                .partitions()
                .getFirst()
                .highWatermark();
    }

    private Errors error(ProduceRequestData request, int version) throws Exception {
        return Errors.forCode(answer(request, version).errorCode());
    }

    private PartitionProduceResponse answer(ProduceRequestData request, int version) throws Exception {
        return part(client, request, version);
    }

    private static PartitionProduceResponse part(RawConnection connection, ProduceRequestData request, int version)
            throws Exception {
        return connection.call(request, new ProduceResponseData(), version).responses().iterator().next()
                .partitionResponses()
                .getFirst();
    }
}
