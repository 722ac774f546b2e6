package io.millrace.broker.offsets;

import java.util.concurrent.CompletableFuture;

import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;

/// OffsetForLeaderEpoch: where a leader's reign ended in this log, so that a reader sees whether its history is ours.
public final class LeaderEpochHandler
        implements
            ApiHandler<OffsetForLeaderEpochRequestData, OffsetForLeaderEpochResponseData> {
    private final PartitionRegistry partitions;

    public LeaderEpochHandler(PartitionRegistry partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public CompletableFuture<OffsetForLeaderEpochResponseData> handle(OffsetForLeaderEpochRequestData request,
            RequestContext context) {
        var response = new OffsetForLeaderEpochResponseData();
        for (var topic : request.topics()) {
            var told = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            response.topics().add(told);
            topic.partitions().forEach(asked -> told.partitions().add(answer(topic.topic(), asked)));
        }
        return CompletableFuture.completedFuture(response);
    }

    private EpochEndOffset answer(String topic, OffsetForLeaderPartition asked) {
        var part = new EpochEndOffset().setPartition(asked.partition());
        try {
            var end = partitions.find(topic, asked.partition())
                    .asLeader()
                    .log(asked.currentLeaderEpoch())
                    .endOffsetFor(asked.leaderEpoch());
            return part.setLeaderEpoch(end.epoch()).setEndOffset(end.endOffset());
        } catch (RuntimeException failure) {
            return part.setErrorCode(PartitionFailures.errorOf(failure, "offset for leader epoch", topic, asked
                    .partition()).code());
        }
    }
}
