package io.millrace.coordinator.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.ShardEpoch;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionStorageTest {
    private static final UUID TOPIC = new UUID(7, 9);
    private static final EncodedRecord RECORD = new EncodedRecord(Bytes.of("k".getBytes(UTF_8)),
            Bytes.of("v".getBytes(UTF_8)));

    private final SimulatedLoop loop = new SimulatedLoop();
    private final FakeBrokers brokers = new FakeBrokers();
    private ClusterImage image = image(1);
    private final PartitionStorage storage = new PartitionStorage(
            new LeaderCalls(ShardKind.GROUP.topic(), _ -> brokers, () -> image, "PLAINTEXT", loop, loop.ticker(),
                    new Random(
                            1)),
            new PartitionStorage.Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 1000),
            new Batches(Compression.NONE, loop.clock()));

    /// Answers each request with what the test laid out for it, in order.
    private static final class FakeBrokers implements NodeClient {
        private final Deque<CompletableFuture<ApiMessage>> answers = new ArrayDeque<>();
        private final List<NodeAddress> asked = new ArrayList<>();
        private final List<ApiMessage> requests = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked") // the test lays out what fits the request
        public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request,
                Duration timeout) {
            asked.add(node);
            requests.add(request);
            var answer = answers.poll();
            return answer == null ? new CompletableFuture<>() : (CompletableFuture<A>) answer;
        }

        @Override
        public void close() {}
    }

    @Test
    void anAppendGoesToTheLeaderWithTheEpochAndForAllReplicas() {
        answer(produced(Errors.NONE, 17));

        var appended = storage.append(0, 3, ShardBatch.plain(List.of(RECORD)));

        assertThat(appended).isCompletedWithValue(17L);
        assertThat(brokers.asked).containsExactly(new NodeAddress("host", 1001));
        var request = (ProduceRequestData) brokers.requests.getFirst();
        assertThat(ShardEpoch.of(request)).map(ShardEpoch::epoch).contains(3);
        assertThat(request.acks()).isEqualTo((short) -1);
        var topic = request.topicData().iterator().next();
        assertThat(topic.name()).isEqualTo("__consumer_offsets");
        assertThat(topic.topicId().getMostSignificantBits()).isEqualTo(7);
        assertThat(((MemoryRecords) topic.partitionData().getFirst().records()).batches()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_LEADER_OR_FOLLOWER", "UNKNOWN_TOPIC_OR_PARTITION", "NOT_ENOUGH_REPLICAS",
            "REQUEST_TIMED_OUT", "KAFKA_STORAGE_ERROR"})
    void whatPassesIsTriedAgainAtTheNewLeader(Errors error) {
        answer(produced(error, -1));
        answer(produced(Errors.NONE, 4));

        var appended = storage.append(0, 3, ShardBatch.plain(List.of(RECORD)));
        assertThat(appended).isNotDone();
        image = image(2);
        loop.advance(Duration.ofSeconds(1));

        assertThat(appended).isCompletedWithValue(4L);
        assertThat(brokers.asked).containsExactly(new NodeAddress("host", 1001), new NodeAddress("host", 1002));
    }

    @ParameterizedTest
    @EnumSource(names = {"FENCED_LEADER_EPOCH", "MESSAGE_TOO_LARGE", "CORRUPT_MESSAGE"})
    void whatDoesNotPassIsToldAtOnce(Errors error) {
        answer(produced(error, -1));

        assertThat(failure(storage.append(0, 3, ShardBatch.plain(List.of(RECORD))))).isEqualTo(error);
    }

    @Test
    void aBrokenConnectionIsTriedAgain() {
        brokers.answers.add(CompletableFuture.failedFuture(new IOException("reset host:1001")));
        answer(produced(Errors.NONE, 4));

        var appended = storage.append(0, 3, ShardBatch.plain(List.of(RECORD)));
        loop.advance(Duration.ofSeconds(1));

        assertThat(appended).isCompletedWithValue(4L);
    }

    @Test
    void withoutALeaderTheAppendIsGivenUpInTheEnd() {
        image = image(PartitionImage.NO_LEADER);

        var appended = storage.append(0, 3, ShardBatch.plain(List.of(RECORD)));
        loop.advance(Duration.ofSeconds(4));
        assertThat(appended).isNotDone();
        loop.advance(Duration.ofSeconds(1));

        assertThat(failure(appended)).isEqualTo(Errors.LEADER_NOT_AVAILABLE);
        assertThat(brokers.asked).isEmpty();
    }

    @Test
    void aReadBringsRecordsAndWhereToGoOn() {
        answer(fetched(Errors.NONE, 0, MemoryRecords.withRecords(5L, Compression.NONE,
                new SimpleRecord("a".getBytes(UTF_8), "1".getBytes(UTF_8)), new SimpleRecord("b".getBytes(UTF_8),
                        null))));

        var chunk = storage.read(0, 6).join();

        assertThat(chunk.nextOffset()).isEqualTo(7);
        var records = StreamSupport.stream(chunk.records().spliterator(), false).toList();
        assertThat(records).containsExactly(new StoredRecord(6, ByteBuffer.wrap("b".getBytes(UTF_8)), null));
        var partition = ((FetchRequestData) brokers.requests.getFirst()).topics().getFirst().partitions().getFirst();
        assertThat(partition.fetchOffset()).isEqualTo(6);
    }

    @Test
    void aReadWithoutNewsStaysWhereItIs() {
        answer(fetched(Errors.NONE, 0, MemoryRecords.EMPTY));

        assertThat(storage.read(0, 6).join().nextOffset()).isEqualTo(6);
    }

    @Test
    void aReadBeforeTheLogsStartGoesOnAtItsStart() {
        answer(fetched(Errors.OFFSET_OUT_OF_RANGE, 40, MemoryRecords.EMPTY));
        answer(fetched(Errors.NONE, 40, MemoryRecords.withRecords(40L, Compression.NONE,
                new SimpleRecord("a".getBytes(UTF_8), null))));

        assertThat(storage.read(0, 0).join().nextOffset()).isEqualTo(41);
    }

    @Test
    void aReadBeyondTheLogsEndIsRefused() {
        answer(fetched(Errors.OFFSET_OUT_OF_RANGE, 0, MemoryRecords.EMPTY));

        assertThat(failure(storage.read(0, 99))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    private void answer(ApiMessage answer) {
        brokers.answers.add(CompletableFuture.completedFuture(answer));
    }

    private static Errors failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return Failures.errorOf(future.exceptionNow());
    }

    private static ProduceResponseData produced(Errors error, long offset) {
        var topics = new TopicProduceResponseCollection(1);
        topics.add(new TopicProduceResponse().setName("__consumer_offsets").setPartitionResponses(
                List.of(new PartitionProduceResponse().setErrorCode(error.code()).setBaseOffset(offset))));
        return new ProduceResponseData().setResponses(topics);
    }

    private static FetchResponseData fetched(Errors error, long logStart, MemoryRecords records) {
        return new FetchResponseData().setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                .setPartitions(List.of(new FetchResponseData.PartitionData().setErrorCode(error.code())
                        .setLogStartOffset(logStart).setRecords(records)))));
    }

    private static ClusterImage image(int leader) {
        var partition = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), leader, 0, 0);
        var topic = TopicImage.of(ShardKind.GROUP.topic(), TOPIC).with(partition);
        return ClusterImage.EMPTY.with(ClusterImage.EMPTY.topics().with(topic))
                .with(ClusterImage.EMPTY.nodes().with(broker(1)).with(broker(2)));
    }

    private static NodeImage broker(int id) {
        return new NodeImage(Role.BROKER, id, 1, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "host", 1000 + id)),
                null, null, "", NodeState.ACTIVE);
    }
}
