package io.millrace.log.retention;

import java.util.List;

/// Which segments may go: always the oldest ones, without a gap, and never one that reaches past the high watermark.
public final class Retention {
    private Retention() {}

    /// @param segments in order, the active one last
    /// @param now milliseconds since 1970
    /// @return how many of the oldest may go; an empty active segment never
    public static int deletable(List<SegmentFacts> segments, RetentionRules rules, long now, long logStartOffset,
            long highWatermark) {
        long total = segments.stream().mapToLong(SegmentFacts::sizeBytes).sum();
        int count = 0;
        for (var segment : segments) {
            boolean last = count == segments.size() - 1;
            if (segment.nextBaseOffset() > highWatermark || (last && segment.sizeBytes() == 0)) {
                break;
            }
            boolean below = !last && segment.nextBaseOffset() <= logStartOffset;
            if (!below && !isTooOld(segment, rules, now) && !isTooMuch(segment, rules, total)) {
                break;
            }
            total -= segment.sizeBytes();
            count++;
        }
        return count;
    }

    // Neither overflows: a time is never below -1 here, and `now` is not negative.
    private static boolean isTooOld(SegmentFacts segment, RetentionRules rules, long now) {
        return rules.delete() && rules.retentionMs() >= 0 && now - segment.largestTimestamp() > rules.retentionMs();
    }

    // What is left must still be as much as is to be kept.
    private static boolean isTooMuch(SegmentFacts segment, RetentionRules rules, long total) {
        return rules.delete() && rules.retentionBytes() >= 0 && total - segment.sizeBytes() >= rules.retentionBytes();
    }
}
