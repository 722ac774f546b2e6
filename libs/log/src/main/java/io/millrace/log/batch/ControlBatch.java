package io.millrace.log.batch;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/// What a control batch says.
public final class ControlBatch {
    private ControlBatch() {}

    /// The end of a transaction.
    ///
    /// @param committed false where it came to nothing
    /// @param coordinatorEpoch of the coordinator that ended it
    public record TransactionEnd(boolean committed, int coordinatorEpoch) {}

    /// The end that it marks; null where it marks none: the cleaner has emptied it, or it is of another kind.
    ///
    /// @param batch a control batch, whole
    public static @Nullable TransactionEnd transactionEnd(Batch batch) {
        try {
            var records = MemoryRecords.readableRecords(batch.bytes()).batches().iterator().next().iterator();
            if (!records.hasNext()) {
                return null;
            }
            var marker = EndTransactionMarker.deserialize(records.next());
            return new TransactionEnd(marker.controlType() == ControlRecordType.COMMIT, marker.coordinatorEpoch());
        } catch (KafkaException | IllegalArgumentException _) {
            return null;
        }
    }

    /// What a control batch says; `UNKNOWN` for one that the cleaner has emptied.
    public static ControlRecordType type(RecordBatch batch) {
        var records = batch.iterator();
        return records.hasNext() ? ControlRecordType.parse(records.next().key()) : ControlRecordType.UNKNOWN;
    }
}
