package io.millrace.coordinator.offsets;

import java.util.ArrayList;
import java.util.List;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;

/// Which offsets have expired, by Kafka's rules (KIP-211).
public final class OffsetExpiry {
    private OffsetExpiry() {}

    /// @param retentionMillis `offsets.retention.minutes`
    /// @param nowMillis wall time
    /// @return their tombstones
    public static List<GroupRecord> expired(String groupId, GroupOffsets offsets, GroupUse use, long retentionMillis,
            long nowMillis) {
        var records = new ArrayList<GroupRecord>();
        for (var topic : offsets.topics()) {
            if (use instanceof GroupUse.InUse || (use instanceof GroupUse.Subscribed(var read) && read.contains(
                    topic))) {
                continue;
            }
            offsets.partitions(topic).forEach((partition, value) -> {
                if (expiry(value, use, retentionMillis) <= nowMillis) {
                    records.add(new OffsetRemoved(groupId, topic, partition));
                }
            });
        }
        return records;
    }

    private static long expiry(CommittedOffset value, GroupUse use, long retentionMillis) {
        if (value.expireTimestamp() != CommittedOffset.NONE) {
            return value.expireTimestamp();
        }
        long from = use instanceof GroupUse.Abandoned(var since)
                ? Math.max(since, value.commitTimestamp())
                : value.commitTimestamp();
        return from + retentionMillis;
    }
}
