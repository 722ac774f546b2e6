package io.millrace.log.compaction;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;

import io.millrace.log.batch.ControlBatch;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;

/// Goes along with a pass over a log and says what of its transactions can go: data of aborted ones at once, a marker once
/// nothing is left of what it ends. So an abort marker outlives its data. One pass is one tracker.
final class TransactionTracker {
    private final PriorityQueue<AbortedTransaction> ahead = new PriorityQueue<>(Comparator.comparingLong(
            AbortedTransaction::firstOffset));
    private final Map<Long, Aborted> aborted = new HashMap<>();
    private final Set<Long> committedWithData = new HashSet<>();
    private final Consumer<AbortedTransaction> retained;

    private static final class Aborted {
        private final AbortedTransaction transaction;
        private boolean hasData;

        Aborted(AbortedTransaction transaction) {
            this.transaction = transaction;
        }
    }

    /// @param all aborted transactions of the log
    /// @param retained is told of those whose marker stays, so that they stay in the index
    TransactionTracker(List<AbortedTransaction> all, Consumer<AbortedTransaction> retained) {
        ahead.addAll(all);
        this.retained = retained;
    }

    /// Whether nothing of `batch` is needed any more as far as transactions go: it is data of an aborted one, or a marker
    /// that ends nothing that is still there.
    ///
    /// @param batch the next one of the pass
    boolean canGo(RecordBatch batch) {
        begin(batch.lastOffset());
        if (batch.isControlBatch()) {
            return markerCanGo(batch);
        }
        if (!batch.isTransactional()) {
            return false;
        }
        var open = aborted.get(batch.producerId());
        if (open == null) {
            committedWithData.add(batch.producerId());
            return false;
        }
        open.hasData = true;
        return true;
    }

    private boolean markerCanGo(RecordBatch marker) {
        var type = ControlBatch.type(marker);
        if (type == ControlRecordType.ABORT) {
            var ended = aborted.remove(marker.producerId());
            if (ended == null || !ended.hasData) {
                return true;
            }
            retained.accept(ended.transaction);
            return false;
        }
        if (type == ControlRecordType.COMMIT) {
            return !committedWithData.remove(marker.producerId());
        }
        // One that an earlier clean has emptied; what else there may be is none of ours.
        return type == ControlRecordType.UNKNOWN;
    }

    private void begin(long lastOffset) {
        while (!ahead.isEmpty() && ahead.peek().firstOffset() <= lastOffset) {
            var next = ahead.remove();
            // One that ended before the pass came here says nothing of what its producer wrote later.
            if (next.lastOffset() >= lastOffset) {
                aborted.put(next.producerId(), new Aborted(next));
            }
        }
    }
}
