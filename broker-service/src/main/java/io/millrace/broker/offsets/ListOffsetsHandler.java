package io.millrace.broker.offsets;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReadLimit;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// ListOffsets. Start and end are told at once, on the event loop; what is looked up by time reads files elsewhere.
public final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequestData, ListOffsetsResponseData> {
    private static final int CONSUMER = -1;
    private static final byte READ_COMMITTED = 1;
    private static final short FIRST_VERSION_WITH_EPOCHS = 4;

    private final PartitionRegistry partitions;
    private final BlockingWork disks;

    public ListOffsetsHandler(PartitionRegistry partitions, BlockingWork disks) {
        this.partitions = partitions;
        this.disks = disks;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_OFFSETS;
    }

    @Override
    public CompletableFuture<ListOffsetsResponseData> handle(ListOffsetsRequestData request, RequestContext context) {
        boolean immediate = request.topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(asked -> OffsetLookup.immediate(asked.timestamp()));
        return immediate
                ? CompletableFuture.completedFuture(answer(request, context))
                : disks.answer(() -> answer(request, context));
    }

    private ListOffsetsResponseData answer(ListOffsetsRequestData request, RequestContext context) {
        var limit = request.replicaId() != CONSUMER
                ? ReadLimit.LOG_END
                : request.isolationLevel() == READ_COMMITTED ? ReadLimit.LAST_STABLE : ReadLimit.HIGH_WATERMARK;
        var twice = namedTwice(request);
        var response = new ListOffsetsResponseData();
        for (var topic : request.topics()) {
            var told = new ListOffsetsTopicResponse().setName(topic.name());
            response.topics().add(told);
            for (var asked : topic.partitions()) {
                boolean repeated = twice.contains(new TopicPartition(topic.name(), asked.partitionIndex()));
                told.partitions().add(answer(topic.name(), asked, repeated, limit, context.version()));
            }
        }
        return response;
    }

    private ListOffsetsPartitionResponse answer(String topic, ListOffsetsPartition asked, boolean repeated,
            ReadLimit limit, short version) {
        var part = new ListOffsetsPartitionResponse().setPartitionIndex(asked.partitionIndex());
        try {
            if (repeated) {
                throw new Refused(Errors.INVALID_REQUEST, "a partition is there twice");
            }
            if (!OffsetLookup.known(asked.timestamp(), version)) {
                throw new Refused(Errors.UNSUPPORTED_VERSION, "timestamp=" + asked.timestamp());
            }
            var log = partitions.find(topic, asked.partitionIndex()).asLeader().log(asked.currentLeaderEpoch());
            var found = OffsetLookup.find(log, asked.timestamp(), limit);
            part.setTimestamp(found.timestamp()).setOffset(found.offset());
            if (version >= FIRST_VERSION_WITH_EPOCHS) {
                part.setLeaderEpoch(found.leaderEpoch());
            }
        } catch (RuntimeException failure) {
            part.setErrorCode(PartitionFailures.errorOf(failure, "list offsets", topic, asked.partitionIndex())
                    .code());
        }
        return part;
    }

    private static Set<TopicPartition> namedTwice(ListOffsetsRequestData request) {
        var seen = new HashSet<TopicPartition>();
        var twice = new HashSet<TopicPartition>();
        for (var topic : request.topics()) {
            for (var asked : topic.partitions()) {
                var partition = new TopicPartition(topic.name(), asked.partitionIndex());
                if (!seen.add(partition)) {
                    twice.add(partition);
                }
            }
        }
        return twice;
    }
}
