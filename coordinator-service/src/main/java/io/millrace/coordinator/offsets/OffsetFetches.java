package io.millrace.coordinator.offsets;

import java.util.ArrayList;
import java.util.List;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.wire.api.AddedText;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;

/// OffsetFetch of one group, of what is real. A partition without a commit is answered with -1 and no error. A request with
/// an added text is told when each offset was committed, in milliseconds since 1970, as an added text.
public final class OffsetFetches {
    private static final long NO_OFFSET = -1;

    private OffsetFetches() {}

    /// @param request with names of topics; null topics ask for all
    public static OffsetFetchResponseGroup fetch(OffsetFetchRequestGroup request, GroupOffsets offsets) {
        var response = new OffsetFetchResponseGroup().setGroupId(request.groupId()).setErrorCode(Errors.NONE.code());
        boolean timed = AddedText.of(request).isPresent();
        if (request.topics() == null) {
            return response.setTopics(all(offsets, timed));
        }
        var topics = new ArrayList<OffsetFetchResponseTopics>();
        for (var topic : request.topics()) {
            var partitions = topic.partitionIndexes().stream().map(partition -> offsets.of(topic.name(), partition)
                    .map(value -> committed(partition, value, timed)).orElseGet(() -> absent(partition))).toList();
            topics.add(new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId())
                    .setPartitions(partitions));
        }
        return response.setTopics(topics);
    }

    /// The whole group refused.
    public static OffsetFetchResponseGroup refused(OffsetFetchRequestGroup request, Errors error) {
        return new OffsetFetchResponseGroup().setGroupId(request.groupId()).setErrorCode(error.code());
    }

    private static List<OffsetFetchResponseTopics> all(GroupOffsets offsets, boolean timed) {
        var topics = new ArrayList<OffsetFetchResponseTopics>();
        for (var topic : offsets.topics()) {
            var partitions = new ArrayList<OffsetFetchResponsePartitions>();
            offsets.partitions(topic).forEach((partition, value) -> partitions.add(committed(partition, value, timed)));
            topics.add(new OffsetFetchResponseTopics().setName(topic).setPartitions(partitions));
        }
        return topics;
    }

    private static OffsetFetchResponsePartitions committed(int partition, CommittedOffset value, boolean timed) {
        var committed = new OffsetFetchResponsePartitions().setPartitionIndex(partition).setCommittedOffset(value
                .offset())
                .setCommittedLeaderEpoch(value.leaderEpoch()).setMetadata(value.metadata())
                .setErrorCode(Errors.NONE.code());
        if (timed) {
            AddedText.add(committed, Long.toString(value.commitTimestamp()));
        }
        return committed;
    }

    private static OffsetFetchResponsePartitions absent(int partition) {
        return new OffsetFetchResponsePartitions().setPartitionIndex(partition).setCommittedOffset(NO_OFFSET)
                .setCommittedLeaderEpoch(CommittedOffset.NONE).setMetadata("").setErrorCode(Errors.NONE.code());
    }
}
