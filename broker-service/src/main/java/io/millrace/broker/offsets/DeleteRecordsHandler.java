package io.millrace.broker.offsets;

import java.util.concurrent.CompletableFuture;

import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DeleteRecords: moves the start of a log forward, on the disk's threads.
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequestData, DeleteRecordsResponseData> {
    private static final long NO_LOW_WATERMARK = -1;

    private final PartitionRegistry partitions;
    private final BlockingWork disks;

    public DeleteRecordsHandler(PartitionRegistry partitions, BlockingWork disks) {
        this.partitions = partitions;
        this.disks = disks;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_RECORDS;
    }

    @Override
    public CompletableFuture<DeleteRecordsResponseData> handle(DeleteRecordsRequestData request,
            RequestContext context) {
        return disks.answer(() -> {
            var response = new DeleteRecordsResponseData();
            for (var topic : request.topics()) {
                var told = new DeleteRecordsTopicResult().setName(topic.name());
                response.topics().add(told);
                topic.partitions().forEach(asked -> told.partitions().add(delete(topic.name(), asked)));
            }
            return response;
        });
    }

    private DeleteRecordsPartitionResult delete(String topic, DeleteRecordsPartition asked) {
        var part = new DeleteRecordsPartitionResult().setPartitionIndex(asked.partitionIndex());
        try {
            if (Topic.isInternal(topic)) {
                throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, "topic=" + topic + " is internal");
            }
            return part.setLowWatermark(partitions.find(topic, asked.partitionIndex())
                    .asLeader()
                    .deleteRecordsBefore(asked.offset()));
        } catch (RuntimeException failure) {
            return part.setLowWatermark(NO_LOW_WATERMARK)
                    .setErrorCode(PartitionFailures.errorOf(failure, "delete records", topic, asked.partitionIndex())
                            .code());
        }
    }
}
