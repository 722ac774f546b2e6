package io.millrace.coordinator.offsets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/// OffsetCommit, once the group has let it in.
public final class OffsetCommits {
    private OffsetCommits() {}

    /// What a commit comes to.
    ///
    /// @param records to store; empty where there is nothing
    /// @param response once they are stored
    public record Commit(List<GroupRecord> records, OffsetCommitResponseData response) {}

    /// Text that is too long refuses its own partition alone.
    ///
    /// @param maxMetadataBytes `offset.metadata.max.bytes`
    /// @param nowMillis wall time
    public static Commit decide(OffsetCommitRequestData request, int maxMetadataBytes, long nowMillis) {
        var records = new ArrayList<GroupRecord>();
        long expiry = request.retentionTimeMs() < 0 ? CommittedOffset.NONE : nowMillis + request.retentionTimeMs();
        var response = new OffsetCommitResponseData();
        for (var topic : request.topics()) {
            var answer = answerTo(topic);
            for (var partition : topic.partitions()) {
                var metadata = partition.committedMetadata() == null ? "" : partition.committedMetadata();
                boolean fits = metadata.getBytes(UTF_8).length <= maxMetadataBytes;
                answer.partitions().add(answer(partition, fits ? Errors.NONE : Errors.OFFSET_METADATA_TOO_LARGE));
                if (fits) {
                    records.add(new OffsetPut(request.groupId(), topic.name(), partition.partitionIndex(),
                            new CommittedOffset(partition.committedOffset(), partition.committedLeaderEpoch(), metadata,
                                    nowMillis, expiry)));
                }
            }
            response.topics().add(answer);
        }
        return new Commit(records, response);
    }

    /// The whole commit refused.
    public static OffsetCommitResponseData refused(OffsetCommitRequestData request, Errors error) {
        var response = new OffsetCommitResponseData();
        request.topics().forEach(topic -> response.topics().add(refused(topic, error)));
        return response;
    }

    /// One topic of it refused.
    public static OffsetCommitResponseTopic refused(OffsetCommitRequestTopic topic, Errors error) {
        var answer = answerTo(topic);
        topic.partitions().forEach(partition -> answer.partitions().add(answer(partition, error)));
        return answer;
    }

    private static OffsetCommitResponseTopic answerTo(OffsetCommitRequestTopic topic) {
        return new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
    }

    private static OffsetCommitResponsePartition answer(OffsetCommitRequestPartition partition, Errors error) {
        return new OffsetCommitResponsePartition().setPartitionIndex(partition.partitionIndex())
                .setErrorCode(error.code());
    }
}
