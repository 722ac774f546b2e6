package io.millrace.log.compaction;

import java.util.ArrayList;
import java.util.List;

/// Which segments are written together into one: neighbours, as many as are not larger than one segment may be, and never
/// offsets further apart than an index can tell. **pure**
final class SegmentGroups {
    private SegmentGroups() {}

    /// @param lastOffset the last offset that may be in it
    /// @param indexBytes of the larger index
    record Part(long base, long lastOffset, long sizeBytes, long indexBytes) {}

    /// @param maxBytes `segment.bytes`
    /// @param maxIndexBytes `segment.index.bytes`
    /// @return how many go into each group, in order
    static List<Integer> of(List<Part> parts, long maxBytes, long maxIndexBytes) {
        var groups = new ArrayList<Integer>();
        int next = 0;
        while (next < parts.size()) {
            int first = next;
            long bytes = parts.get(first).sizeBytes;
            long indexBytes = parts.get(first).indexBytes;
            next++;
            while (next < parts.size()) {
                var part = parts.get(next);
                bytes += part.sizeBytes;
                indexBytes += part.indexBytes;
                boolean near = part.sizeBytes == 0 || part.lastOffset - parts.get(
                        first).base <= Integer.MAX_VALUE;
                if (bytes > maxBytes || indexBytes > maxIndexBytes || !near) {
                    break;
                }
                next++;
            }
            groups.add(next - first);
        }
        return groups;
    }
}
