package io.millrace.wire.api;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Optional;

import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/// Which append of which owner of a coordinator's shard a Produce request is, carried as a tagged field that Kafka's
/// schema does not know. A partition's leader refuses what is older than the newest it has seen: a deposed owner cannot
/// append, and neither can an owner's request that was given up and arrives late. Needs Produce version 9 or later, the
/// first with tagged fields.
///
/// @param epoch under which the process owns the shard
/// @param append goes up with each request of that owner
public record ShardEpoch(int epoch, long append) implements Comparable<ShardEpoch> {
    /// Older than any.
    public static final ShardEpoch NONE = new ShardEpoch(-1, 0);

    static final int TAG = 10_000;
    private static final int SIZE = Integer.BYTES + Long.BYTES;
    private static final Comparator<ShardEpoch> ORDER = Comparator.comparingInt(ShardEpoch::epoch)
            .thenComparingLong(ShardEpoch::append);

    /// Marks `request`; replaces an earlier mark.
    public void mark(ProduceRequestData request) {
        var fields = request.unknownTaggedFields();
        fields.removeIf(field -> field.tag() == TAG);
        fields.add(new RawTaggedField(TAG, ByteBuffer.allocate(SIZE).putInt(epoch).putLong(append).array()));
    }

    /// What `request` is marked with; empty where it has no mark, or one that is none.
    public static Optional<ShardEpoch> of(ProduceRequestData request) {
        for (var field : request.unknownTaggedFields()) {
            if (field.tag() == TAG && field.size() == SIZE) {
                var mark = ByteBuffer.wrap(field.data());
                return Optional.of(new ShardEpoch(mark.getInt(), mark.getLong()));
            }
        }
        return Optional.empty();
    }

    @Override
    public int compareTo(ShardEpoch other) {
        return ORDER.compare(this, other);
    }
}
