package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetsIT {
    private static final int LATEST_VERSION = 11;

    @TempDir
    Path directory;
    private TestBroker broker;
    private RawConnection client;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory);
        client = broker.connect();
        broker.create("t");
        for (long time = 100; time <= 500; time += 100) {
            produce(time);
        }
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    void startAndEndAreTold() throws Exception {
        assertThat(offset(-2)).isZero();
        assertThat(offset(-4)).isZero();
        assertThat(offset(-1)).isEqualTo(5);
    }

    @Test
    void timeGivesTheFirstRecordThatIsNotEarlier() throws Exception {
        assertThat(list(250, LATEST_VERSION)).returns(2L, ListOffsetsPartitionResponse::offset).returns(300L,
                ListOffsetsPartitionResponse::timestamp).returns(0, ListOffsetsPartitionResponse::leaderEpoch);
        assertThat(offset(0)).isZero();
        assertThat(offset(500)).isEqualTo(4);
    }

    @Test
    void timeAfterTheLastRecordGivesNothing() throws Exception {
        assertThat(list(501, LATEST_VERSION)).returns(-1L, ListOffsetsPartitionResponse::offset).returns(-1L,
                ListOffsetsPartitionResponse::timestamp).returns((short) 0, ListOffsetsPartitionResponse::errorCode);
    }

    @Test
    void greatestTimeIsFound() throws Exception {
        produce(50);

        assertThat(list(-3, LATEST_VERSION)).returns(4L, ListOffsetsPartitionResponse::offset).returns(500L,
                ListOffsetsPartitionResponse::timestamp);
    }

    @Test
    void nothingIsTiered() throws Exception {
        assertThat(offset(-5)).isEqualTo(-1);
        assertThat(offset(-6)).isEqualTo(-1);
    }

    @Test
    void specialTimeThatAVersionDoesNotKnowIsRefused() throws Exception {
        assertThat(list(-3, 6).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(list(-4, 7).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(list(-99, LATEST_VERSION).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(list(-1, 1).offset()).isEqualTo(5);
    }

    @Test
    void partitionNamedTwiceUnknownOrLedByAnotherIsRefused() throws Exception {
        var twice = request(-1);
        twice.topics().getFirst().partitions().add(new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(-2));
        var unknown = request(-1);
        unknown.topics().getFirst().partitions().getFirst().setPartitionIndex(4);

        assertThat(call(twice)).extracting(ListOffsetsPartitionResponse::errorCode).containsOnly(Errors.INVALID_REQUEST
                .code());
        assertThat(call(unknown).getFirst().errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        broker.put("t", TestBroker.ledByAnother(0, 1));
        assertThat(list(-1, LATEST_VERSION).errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code());
    }

    @Test
    void leaderEpochEndsWhereTheNextBegins() throws Exception {
        broker.put("t", TestBroker.leading(0, 3, List.of(1), List.of(1)));
        produce(600);

        assertThat(endOf(0, -1)).isEqualTo(5);
        assertThat(endOf(2, -1)).isEqualTo(5);
        assertThat(endOf(3, -1)).isEqualTo(6);
        assertThat(endOf(9, -1)).isEqualTo(-1);
    }

    @Test
    void deletedRecordsAreGoneAlsoAfterARestart() throws Exception {
        assertThat(delete(3)).returns(3L, DeleteRecordsPartitionResult::lowWatermark);
        assertThat(offset(-2)).isEqualTo(3);
        assertThat(client.call(Batches.fetch("t", 0, 2), new FetchResponseData(), 12).responses().getFirst()
                .partitions()
                .getFirst()
                .errorCode()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());

        client.close();
        broker.restart();
        client = broker.connect();
        assertThat(offset(-2)).isEqualTo(3);
        assertThat(offset(-1)).isEqualTo(5);
    }

    @Test
    void deletionUpToTheHighWatermarkEmptiesTheLog() throws Exception {
        assertThat(delete(-1)).returns(5L, DeleteRecordsPartitionResult::lowWatermark);
    }

    @Test
    void deletionBeyondTheEndOrOfACompactedTopicIsRefused() throws Exception {
        assertThat(delete(6).errorCode()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());
        assertThat(delete(-2).errorCode()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());
        broker.delete("t");
        broker.create("t", 1, Map.of("cleanup.policy", "compact"));
        assertThat(delete(0).errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
    }

    @Test
    void logDirectoriesAreDescribedWithSizes() throws Exception {
        var response = client.call(new DescribeLogDirsRequestData().setTopics(null), new DescribeLogDirsResponseData(),
                4);

        var told = response.results().getFirst();
        assertThat(told.logDir()).isEqualTo(directory.toAbsolutePath().toString());
        assertThat(told.totalBytes()).isPositive();
        assertThat(told.topics().getFirst().name()).isEqualTo("t");
        assertThat(told.topics().getFirst().partitions().getFirst().partitionSize()).isPositive();
    }

    private long offset(long timestamp) throws Exception {
        return list(timestamp, LATEST_VERSION).offset();
    }

    private ListOffsetsPartitionResponse list(long timestamp, int version) throws Exception {
        return client.call(request(timestamp), new ListOffsetsResponseData(), version).topics().getFirst().partitions()
                .getFirst();
    }

    private List<ListOffsetsPartitionResponse> call(ListOffsetsRequestData request) throws Exception {
        return client.call(request, new ListOffsetsResponseData(), LATEST_VERSION).topics().getFirst().partitions();
    }

    private static ListOffsetsRequestData request(long timestamp) {
        var request = new ListOffsetsRequestData().setReplicaId(-1);
        request.topics().add(new ListOffsetsTopic().setName("t"));
        request.topics().getFirst().partitions().add(new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(
                timestamp));
        return request;
    }

    private long endOf(int epoch, int currentEpoch) throws Exception {
        var request = new OffsetForLeaderEpochRequestData();
        var topic = new OffsetForLeaderTopic().setTopic("t");
        topic.partitions().add(new OffsetForLeaderPartition().setPartition(0).setLeaderEpoch(epoch)
                .setCurrentLeaderEpoch(currentEpoch));
        request.topics().add(topic);
        return client.call(request, new OffsetForLeaderEpochResponseData(), 4).topics().iterator().next().partitions()
                .getFirst()
                .endOffset();
    }

    private DeleteRecordsPartitionResult delete(long before) throws Exception {
        var request = new DeleteRecordsRequestData().setTimeoutMs(1000);
        request.topics().add(new DeleteRecordsTopic().setName("t"));
        request.topics().getFirst().partitions().add(new DeleteRecordsPartition().setPartitionIndex(0).setOffset(
                before));
        return client.call(request, new DeleteRecordsResponseData(), 2).topics().iterator().next().partitions()
                .iterator()
                .next();
    }

    private void produce(long time) throws Exception {
        var batch = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(time, "v".getBytes(
                StandardCharsets.UTF_8)));
        var answer = client.call(Batches.produce("t", 0, -1, batch), new ProduceResponseData(), 12);
        assertThat(answer.responses().iterator().next().partitionResponses().getFirst().errorCode()).isZero();
    }
}
