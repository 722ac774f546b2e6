package io.millrace.log.compaction;

import java.util.List;

import io.millrace.log.segment.Segment;
import io.millrace.log.segment.SegmentLimits;

/// A log at one moment, for the cleaner.
///
/// @param segments all, the active one last
/// @param lastStableOffset nothing from here on may be cleaned
/// @param cleanedTo everything below was cleaned before; 0 where nothing was
/// @param nextDeleteHorizon when the first tombstone or marker that is left may go, milliseconds since 1970
/// @param truncations counts how often the log was cut
public record CompactionState(CompactionRules rules, SegmentLimits limits, List<Segment> segments, long logStartOffset,
        long logEndOffset, long lastStableOffset, long cleanedTo, long nextDeleteHorizon, int truncations) {
    public CompactionState {
        segments = List.copyOf(segments);
    }

    /// Where the segment after the one at `index` begins.
    public long nextBase(int index) {
        return index + 1 < segments.size() ? segments.get(index + 1).baseOffset() : logEndOffset;
    }
}
