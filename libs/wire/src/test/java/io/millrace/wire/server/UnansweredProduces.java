package io.millrace.wire.server;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// Keeps the bytes of what is produced; refuses the topic `bad`, and lets who writes to `held` wait for ever.
final class UnansweredProduces implements ApiHandler<ProduceRequestData, ProduceResponseData> {
    final Queue<ByteBuffer> received = new ConcurrentLinkedQueue<>();

    static ProduceRequestData request(String topic, int acks, byte[] records) {
        var data = new ProduceRequestData.TopicProduceData().setName(topic);
        data.partitionData()
                .add(new ProduceRequestData.PartitionProduceData().setIndex(0)
                        .setRecords(MemoryRecords.readableRecords(ByteBuffer.wrap(records))));
        var request = new ProduceRequestData().setAcks((short) acks).setTimeoutMs(1000);
        request.topicData().add(data);
        return request;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.PRODUCE;
    }

    @Override
    public CompletableFuture<ProduceResponseData> handle(ProduceRequestData request, RequestContext context) {
        var topic = request.topicData().iterator().next();
        var records = ((MemoryRecords) topic.partitionData().getFirst().records()).buffer();
        received.add(ByteBuffer.allocate(records.remaining()).put(records.duplicate()).flip());
        return switch (topic.name()) {
            case "bad" -> CompletableFuture.failedFuture(new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "bad"));
            case "held" -> new CompletableFuture<>();
            default -> CompletableFuture.completedFuture(new ProduceResponseData());
        };
    }

    @Override
    public boolean answered(ProduceRequestData request) {
        return request.acks() != 0;
    }
}
