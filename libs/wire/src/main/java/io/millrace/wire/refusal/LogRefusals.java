package io.millrace.wire.refusal;

import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// Of the APIs that a partition's leader serves.
final class LogRefusals {
    private static final long NO_OFFSET = -1;
    private static final short FIRST_LOG_DIRS_WITH_ERROR = 3;

    private LogRefusals() {}

    static ProduceResponseData produce(ProduceRequestData request, Refusal refusal) {
        var answer = new ProduceResponseData();
        for (var topic : request.topicData()) {
            var refused = new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
            for (var partition : topic.partitionData()) {
                refused.partitionResponses()
                        .add(new PartitionProduceResponse().setIndex(partition.index())
                                .setErrorCode(refusal.code())
                                .setErrorMessage(refusal.message())
                                .setBaseOffset(NO_OFFSET));
            }
            answer.responses().add(refused);
        }
        return answer;
    }

    /// A client looks at an error of the whole answer first and then at no part, so that it would not ask for the new
    /// leader: hence in the parts alone where there are any. An incremental fetch names only what changed, so it is made
    /// to begin anew.
    static FetchResponseData fetch(FetchRequestData request, Refusal refusal) {
        if (request.sessionEpoch() > 0) {
            return new FetchResponseData().setErrorCode(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
        }
        var answer = new FetchResponseData();
        for (var topic : request.topics()) {
            var refused = new FetchableTopicResponse().setTopic(topic.topic()).setTopicId(topic.topicId());
            for (var partition : topic.partitions()) {
                refused.partitions()
                        .add(new FetchResponseData.PartitionData().setPartitionIndex(partition.partition())
                                .setErrorCode(refusal.code())
                                .setHighWatermark(NO_OFFSET)
                                .setRecords(MemoryRecords.EMPTY));
            }
            answer.responses().add(refused);
        }
        return answer.responses().isEmpty() ? answer.setErrorCode(refusal.code()) : answer;
    }

    static ListOffsetsResponseData listOffsets(ListOffsetsRequestData request, Refusal refusal) {
        var answer = new ListOffsetsResponseData();
        for (var topic : request.topics()) {
            var refused = new ListOffsetsTopicResponse().setName(topic.name());
            for (var partition : topic.partitions()) {
                refused.partitions()
                        .add(new ListOffsetsPartitionResponse().setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(refusal.code()));
            }
            answer.topics().add(refused);
        }
        return answer;
    }

    static OffsetForLeaderEpochResponseData offsetForLeaderEpoch(OffsetForLeaderEpochRequestData request,
            Refusal refusal) {
        var answer = new OffsetForLeaderEpochResponseData();
        for (var topic : request.topics()) {
            var refused = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (var partition : topic.partitions()) {
                refused.partitions()
                        .add(new EpochEndOffset().setPartition(partition.partition()).setErrorCode(refusal.code()));
            }
            answer.topics().add(refused);
        }
        return answer;
    }

    static DeleteRecordsResponseData deleteRecords(DeleteRecordsRequestData request, Refusal refusal) {
        var answer = new DeleteRecordsResponseData();
        for (var topic : request.topics()) {
            var refused = new DeleteRecordsTopicResult().setName(topic.name());
            for (var partition : topic.partitions()) {
                refused.partitions()
                        .add(new DeleteRecordsPartitionResult().setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(refusal.code())
                                .setLowWatermark(NO_OFFSET));
            }
            answer.topics().add(refused);
        }
        return answer;
    }

    /// Before version 3 there is an error a directory only, so one without a name carries it.
    static DescribeLogDirsResponseData describeLogDirs(Refusal refusal) {
        var answer = new DescribeLogDirsResponseData().setErrorCode(refusal.code());
        if (refusal.version() < FIRST_LOG_DIRS_WITH_ERROR) {
            answer.results().add(new DescribeLogDirsResult().setErrorCode(refusal.code()).setLogDir(""));
        }
        return answer;
    }

    static AlterReplicaLogDirsResponseData alterReplicaLogDirs(AlterReplicaLogDirsRequestData request,
            Refusal refusal) {
        var answer = new AlterReplicaLogDirsResponseData();
        for (var directory : request.dirs()) {
            for (var topic : directory.topics()) {
                answer.results()
                        .add(new AlterReplicaLogDirTopicResult().setTopicName(topic.name())
                                .setPartitions(topic.partitions()
                                        .stream()
                                        .map(partition -> new AlterReplicaLogDirPartitionResult().setPartitionIndex(
                                                partition).setErrorCode(refusal.code()))
                                        .toList()));
            }
        }
        return answer;
    }
}
