package io.millrace.wire.api;

import java.nio.ByteBuffer;

import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/// In which epoch of its shard a coordinator says what it says of a transaction, carried as a tagged field that Kafka's
/// schema does not know. Where a partition has a marker of a later epoch, the one who speaks was deposed and does not know
/// of it. Needs AddPartitionsToTxn version 3 or later, the first with tagged fields.
public final class CoordinatorEpoch {
    /// In place of an epoch that was not told: of a coordinator that does not tell any.
    public static final int NOT_TOLD = Integer.MAX_VALUE;

    private static final int TAG = 10_000;

    private CoordinatorEpoch() {}

    /// Marks `result`; replaces an earlier mark.
    public static AddPartitionsToTxnResult mark(AddPartitionsToTxnResult result, int epoch) {
        var fields = result.unknownTaggedFields();
        fields.removeIf(field -> field.tag() == TAG);
        fields.add(new RawTaggedField(TAG, ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array()));
        return result;
    }

    /// What `result` is marked with; [#NOT_TOLD] where it has no mark, or one that is none.
    public static int of(AddPartitionsToTxnResult result) {
        for (var field : result.unknownTaggedFields()) {
            if (field.tag() == TAG && field.size() == Integer.BYTES) {
                return ByteBuffer.wrap(field.data()).getInt();
            }
        }
        return NOT_TOLD;
    }
}
