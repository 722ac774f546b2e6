package io.millrace.log.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The segments of one log, by base offset. Changes make a new array, under the log's lock; readers take whatever array is
/// there. There is always a last one, the active.
public final class Segments {
    private volatile Segment[] all;

    /// @param segments at least one, in order
    public Segments(List<Segment> segments) {
        all = segments.toArray(Segment[]::new);
    }

    public Segment active() {
        var now = all;
        return now[now.length - 1];
    }

    public Segment first() {
        return all[0];
    }

    public int count() {
        return all.length;
    }

    public List<Segment> list() {
        return List.of(all);
    }

    public long sizeBytes() {
        long total = 0;
        for (var segment : all) {
            total += segment.sizeBytes();
        }
        return total;
    }

    /// From the segment that would hold `offset` on; from the first one where `offset` is lower than all.
    public List<Segment> from(long offset) {
        var now = all;
        return Arrays.asList(now).subList(Math.max(0, floor(now, offset)), now.length);
    }

    /// The same, each of them held.
    public List<Segment> holdFrom(long offset) throws IOException {
        var held = new ArrayList<Segment>();
        try {
            for (var segment : from(offset)) {
                if (segment.hold()) {
                    held.add(segment);
                }
            }
            return held;
        } catch (IOException | RuntimeException failure) {
            held.forEach(Segment::release);
            throw failure;
        }
    }

    /// Where the one behind `segment` begins; the largest number where there is none.
    public long baseOffsetAfter(Segment segment) {
        for (var next : from(segment.baseOffset())) {
            if (next.baseOffset() > segment.baseOffset()) {
                return next.baseOffset();
            }
        }
        return Long.MAX_VALUE;
    }

    /// Adds one at the end.
    public void add(Segment segment) {
        var now = all;
        var next = Arrays.copyOf(now, now.length + 1);
        next[now.length] = segment;
        all = next;
    }

    /// Puts others in the place of all.
    public void replace(List<Segment> segments) {
        all = segments.toArray(Segment[]::new);
    }

    private static int floor(Segment[] segments, long offset) {
        int low = 0;
        int high = segments.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (segments[middle].baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
