package io.millrace.log.batch;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/// What a control batch says.
public final class ControlBatch {
    private ControlBatch() {}

    /// Whether it ends a transaction that came to nothing.
    ///
    /// @param batch a control batch, whole; one that the cleaner has emptied says nothing
    public static boolean isAbort(Batch batch) {
        try {
            return type(MemoryRecords.readableRecords(batch.bytes()).batches().iterator()
                    .next()) == ControlRecordType.ABORT;
        } catch (KafkaException | IllegalArgumentException _) {
            return false;
        }
    }

    /// What a control batch says; `UNKNOWN` for one that the cleaner has emptied.
    public static ControlRecordType type(RecordBatch batch) {
        var records = batch.iterator();
        return records.hasNext() ? ControlRecordType.parse(records.next().key()) : ControlRecordType.UNKNOWN;
    }
}
