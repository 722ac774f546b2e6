package io.millrace.log;

import java.util.List;

import io.millrace.log.segment.LogSlice;
import io.millrace.log.transaction.AbortedTransaction;
import org.jspecify.annotations.Nullable;

/// What a read found.
///
/// @param slice the batches, from the one that holds the offset asked for; null where there is nothing to read yet. To be
///        closed by the caller
/// @param logStartOffset of the log at that time
/// @param logEndOffset of the log at that time
/// @param aborted transactions of which something lies in the slice and that came to nothing, for readers of committed
///        records; none for others
public record ReadResult(@Nullable LogSlice slice, long logStartOffset, long logEndOffset,
        List<AbortedTransaction> aborted) {
    /// Bytes in the slice.
    public int sizeBytes() {
        return slice == null ? 0 : slice.size();
    }
}
