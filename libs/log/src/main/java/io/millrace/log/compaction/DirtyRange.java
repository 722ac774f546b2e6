package io.millrace.log.compaction;

import java.util.ArrayList;
import java.util.List;

/// Which part of a log can be cleaned now, and whether it is worth it. Always whole segments at the end. **pure**
///
/// @param start first dirty offset
/// @param end nothing from here on is touched
/// @param cleanBytes of segments below `start`
/// @param dirtyBytes of those from `start` to `end`
/// @param overdueMs how long the oldest dirty record has waited past `max.compaction.lag.ms`; 0 where it has not
/// @param horizonDue whether tombstones or markers may go that are clean otherwise
public record DirtyRange(long start, long end, long cleanBytes, long dirtyBytes, long overdueMs, boolean horizonDue) {

    /// What is known of a closed segment.
    ///
    /// @param nextBase where the next one begins
    /// @param largestTimestamp milliseconds since 1970
    /// @param firstTimestamp of its first batch; negative where it has none
    public record Part(long base, long nextBase, long sizeBytes, long largestTimestamp, long firstTimestamp) {}

    /// @param closed segments in order, without the active one
    /// @param activeBase where the active one begins
    public static DirtyRange of(List<Part> closed, long activeBase, long logStart, long logEnd, long lastStable,
            long cleanedTo, long nextDeleteHorizon, CompactionRules rules, long now) {
        // A checkpoint that lies outside of the log says nothing: all of it is dirty.
        long start = cleanedTo < logStart || cleanedTo > logEnd ? logStart : cleanedTo;
        long end = activeBase;
        long clean = 0;
        long earliest = Long.MAX_VALUE;
        var dirty = new ArrayList<Part>();
        for (var part : closed) {
            if (part.nextBase <= start) {
                clean += part.sizeBytes;
                continue;
            }
            boolean young = rules.minCompactionLagMs() > 0 && part.largestTimestamp > now - rules.minCompactionLagMs();
            if (part.nextBase > lastStable || young) {
                end = part.base;
                break;
            }
            dirty.add(part);
            if (part.firstTimestamp > 0) {
                earliest = Math.min(earliest, part.firstTimestamp);
            }
        }
        // No time at all is the largest number, which nothing may be taken from.
        long overdue = earliest == Long.MAX_VALUE
                ? 0
                : Math.max(0, now - Math.max(0, rules.maxCompactionLagMs()) - earliest);
        return new DirtyRange(start, Math.max(end, Math.min(start, activeBase)), clean, dirty.stream().mapToLong(
                Part::sizeBytes).sum(), overdue, clean > 0 && nextDeleteHorizon <= now);
    }

    /// Share of what could be cleaned that is dirty, 0 to 1.
    public double ratio() {
        return dirtyBytes == 0 ? 0 : (double) dirtyBytes / (cleanBytes + dirtyBytes);
    }

    boolean isDue(CompactionRules rules) {
        return horizonDue || (dirtyBytes > 0 && (overdueMs > 0 || ratio() > rules.minCleanableDirtyRatio()));
    }
}
