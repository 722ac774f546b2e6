package io.millrace.log;

import io.millrace.log.segment.LogSlice;
import org.jspecify.annotations.Nullable;

/// What a read found.
///
/// @param slice the batches, from the one that holds the offset asked for; null where there is nothing to read yet. To be
///        closed by the caller
/// @param logStartOffset of the log at that time
/// @param logEndOffset of the log at that time
public record ReadResult(@Nullable LogSlice slice, long logStartOffset, long logEndOffset) {
    /// Bytes in the slice.
    public int sizeBytes() {
        return slice == null ? 0 : slice.size();
    }
}
