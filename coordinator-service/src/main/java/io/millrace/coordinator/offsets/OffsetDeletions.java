package io.millrace.coordinator.offsets;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/// OffsetDelete of a group that is there.
public final class OffsetDeletions {
    private OffsetDeletions() {}

    /// What a deletion comes to.
    ///
    /// @param records to store; empty where there is nothing
    /// @param response once they are stored
    public record Deletion(List<GroupRecord> records, OffsetDeleteResponseData response) {}

    /// @param pending what transactions that have not ended committed: that comes to nothing, too
    /// @param exists whether a topic has that partition
    public static Deletion decide(OffsetDeleteRequestData request, GroupOffsets offsets, PendingOffsets pending,
            GroupUse use, BiPredicate<String, Integer> exists) {
        if (use instanceof GroupUse.InUse) {
            return new Deletion(List.of(),
                    new OffsetDeleteResponseData().setErrorCode(Errors.NON_EMPTY_GROUP.code()));
        }
        var records = new ArrayList<GroupRecord>();
        var response = new OffsetDeleteResponseData();
        for (var topic : request.topics()) {
            var answer = new OffsetDeleteResponseTopic().setName(topic.name());
            boolean subscribed = use instanceof GroupUse.Subscribed(var read) && read.contains(topic.name());
            for (var partition : topic.partitions()) {
                int index = partition.partitionIndex();
                var error = subscribed
                        ? Errors.GROUP_SUBSCRIBED_TO_TOPIC
                        : exists.test(topic.name(), index) ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION;
                answer.partitions().add(
                        new OffsetDeleteResponsePartition().setPartitionIndex(index).setErrorCode(error.code()));
                if (error == Errors.NONE && (offsets.of(topic.name(), index).isPresent()
                        || pending.has(request.groupId(), topic.name(), index))) {
                    records.add(new OffsetRemoved(request.groupId(), topic.name(), index));
                }
            }
            response.topics().add(answer);
        }
        return new Deletion(records, response);
    }
}
