package io.millrace.broker.partition;

import java.util.List;

import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.segment.LogSlice;
import io.millrace.log.transaction.AbortedTransaction;
import org.jspecify.annotations.Nullable;

/// What one look at a partition found.
///
/// @param slice batches, to be closed by the caller; null where there is nothing to read yet
/// @param aborted transactions that came to nothing and of which something lies in the slice, for readers of committed records
/// @param diverging where the reader's history ends to be this partition's; null where it is its beginning
public record PartitionRead(long highWatermark, long lastStableOffset, long logStartOffset, @Nullable LogSlice slice,
        List<AbortedTransaction> aborted, @Nullable EpochEndOffset diverging) {

    /// Bytes in the slice.
    public int sizeBytes() {
        return slice == null ? 0 : slice.size();
    }
}
