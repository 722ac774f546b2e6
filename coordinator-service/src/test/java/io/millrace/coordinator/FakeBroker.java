package io.millrace.coordinator;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.api.VersionTable;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.server.KafkaServer;
import io.millrace.wire.server.ListenerConfig;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import reactor.netty.resources.LoopResources;

/// A broker behind a socket that keeps the batches of one topic's partitions in memory.
final class FakeBroker implements AutoCloseable {
    private final Map<Integer, List<MemoryRecords>> logs = new ConcurrentHashMap<>();
    private final LoopResources loops = LoopResources.create("fake-broker", 1, true);
    private final KafkaServer server = KafkaServer.bind(new ListenerConfig("PLAINTEXT", "127.0.0.1", 0), loops,
            ApiRegistry.of(VersionTable.MILLRACE, List.of(new Produce(), new Fetch(),
                    new Borrowed(ApiKeys.METADATA), new Borrowed(ApiKeys.FIND_COORDINATOR))),
            new NetworkMetrics(new SimpleMeterRegistry()));

    private volatile List<ApiHandler<?, ?>> shared = List.of();

    /// What any node answers, this one answers by these.
    void share(List<ApiHandler<?, ?>> handlers) {
        shared = handlers;
    }

    int port() {
        return server.address().getPort();
    }

    @Override
    public void close() {
        server.close();
        loops.dispose();
    }

    private List<MemoryRecords> log(int partition) {
        return logs.computeIfAbsent(partition, _ -> new CopyOnWriteArrayList<>());
    }

    private static long end(List<MemoryRecords> log) {
        return log.isEmpty() ? 0 : log.getLast().batches().iterator().next().nextOffset();
    }

    private final class Borrowed implements ApiHandler<ApiMessage, ApiMessage> {
        private final ApiKeys api;

        Borrowed(ApiKeys api) {
            this.api = api;
        }

        @Override
        public ApiKeys api() {
            return api;
        }

        @Override
        @SuppressWarnings("unchecked") // a handler of the same API takes and gives the same messages
        public CompletableFuture<ApiMessage> handle(ApiMessage request, RequestContext context) {
            return ((ApiHandler<ApiMessage, ApiMessage>) shared.stream().filter(handler -> handler.api() == api)
                    .findFirst().orElseThrow()).handle(request, context);
        }
    }

    private final class Produce implements ApiHandler<ProduceRequestData, ProduceResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.PRODUCE;
        }

        @Override
        public CompletableFuture<ProduceResponseData> handle(ProduceRequestData request, RequestContext context) {
            var topic = request.topicData().iterator().next();
            var partition = topic.partitionData().getFirst();
            var records = copy(partition.records());
            var log = log(partition.index());
            long base = end(log);
            var batch = records.batches().iterator().next();
            batch.setLastOffset(base + batch.lastOffset() - batch.baseOffset());
            log.add(records);
            var topics = new TopicProduceResponseCollection(1);
            topics.add(new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId())
                    .setPartitionResponses(List.of(
                            new PartitionProduceResponse().setIndex(partition.index()).setBaseOffset(base))));
            return CompletableFuture.completedFuture(new ProduceResponseData().setResponses(topics));
        }

        private static MemoryRecords copy(BaseRecords records) {
            var source = ((MemoryRecords) records).buffer();
            return MemoryRecords.readableRecords(ByteBuffer.allocate(source.remaining()).put(source.duplicate())
                    .flip());
        }
    }

    private final class Fetch implements ApiHandler<FetchRequestData, FetchResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.FETCH;
        }

        @Override
        public CompletableFuture<FetchResponseData> handle(FetchRequestData request, RequestContext context) {
            var topic = request.topics().getFirst();
            var partition = topic.partitions().getFirst();
            var log = log(partition.partition());
            var wanted = new ArrayList<>(log);
            wanted.removeIf(records -> records.batches().iterator().next().nextOffset() <= partition.fetchOffset());
            var buffer = ByteBuffer.allocate(wanted.stream().mapToInt(MemoryRecords::sizeInBytes).sum());
            wanted.forEach(records -> buffer.put(records.buffer().duplicate()));
            var answer = new FetchResponseData.PartitionData().setPartitionIndex(partition.partition())
                    .setHighWatermark(end(log)).setLastStableOffset(end(log)).setLogStartOffset(0)
                    .setRecords(MemoryRecords.readableRecords(buffer.flip()));
            return CompletableFuture.completedFuture(
                    new FetchResponseData().setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                            .setTopic(topic.topic()).setTopicId(topic.topicId()).setPartitions(List.of(answer)))));
        }
    }
}
