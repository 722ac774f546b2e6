package io.millrace.log;

import java.io.IOException;
import java.util.ArrayList;

import io.millrace.log.retention.Retention;
import io.millrace.log.retention.SegmentFacts;
import io.millrace.log.segment.Segments;

/// Takes the segments out of one log that it need not keep. Called under the log's locks.
record LogRetention(LogContext context, Segments segments, LogOffsets offsets, LogWriter writer) {
    /// Returns how many went.
    int run() throws IOException {
        var list = segments.list();
        var facts = new ArrayList<SegmentFacts>(list.size());
        for (int i = 0; i < list.size(); i++) {
            long next = i + 1 < list.size() ? list.get(i + 1).baseOffset() : offsets.end();
            facts.add(new SegmentFacts(next, list.get(i).sizeBytes(), list.get(i).largestTimestamp()));
        }
        int count = Retention.deletable(facts, context.config().retention(), context.now(), offsets.start(), offsets
                .highWatermark());
        if (count > 0) {
            writer.removeOldest(count);
        }
        return count;
    }
}
