package io.millrace.wire.api;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/// The epoch of a coordinator's shard, carried by its Produce requests as a tagged field that Kafka's schema does not
/// know. A partition's leader refuses epochs older than the newest it has seen, so a deposed owner cannot append.
/// Needs Produce version 9 or later, the first with tagged fields.
public final class ShardEpoch {
    static final int TAG = 10_000;

    private ShardEpoch() {}

    /// Marks `request` as coming from the owner of its shard in `epoch`; replaces an earlier mark.
    public static void mark(ProduceRequestData request, int epoch) {
        var fields = request.unknownTaggedFields();
        fields.removeIf(field -> field.tag() == TAG);
        fields.add(new RawTaggedField(TAG, ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array()));
    }

    /// The epoch that `request` is marked with; empty where it has no mark, or one that is not an epoch.
    public static OptionalInt of(ProduceRequestData request) {
        for (var field : request.unknownTaggedFields()) {
            if (field.tag() == TAG && field.size() == Integer.BYTES) {
                return OptionalInt.of(ByteBuffer.wrap(field.data()).getInt());
            }
        }
        return OptionalInt.empty();
    }
}
