package io.millrace.log;

import io.millrace.log.segment.Segment;

/// The offsets of one log that readers look at without its lock. Only the holder of the lock writes.
final class LogOffsets {
    private volatile long start;
    private volatile Tail tail;
    private volatile long highWatermark;
    private volatile long recoveryPoint;
    private volatile long committed;
    private volatile long firstUnstable = Long.MAX_VALUE;
    /// Counts truncations, and their announcements: a sync that began before one says nothing of what came after it.
    private volatile int truncations;
    private long recoveryCeiling = Long.MAX_VALUE;

    /// Where the log ends, as one value: a reader that took size and offset one after the other could see more bytes than
    /// belong to the offset, and give away what is not replicated yet.
    ///
    /// @param sizeBytes of `segment`, the last one with batches
    /// @param end offset of the next record
    record Tail(Segment segment, int sizeBytes, long end) {}

    LogOffsets(Segment active, long start, long end, long highWatermark, long recoveryPoint) {
        this.start = start;
        this.tail = new Tail(active, active.sizeBytes(), end);
        this.highWatermark = Math.clamp(highWatermark, start, end);
        this.recoveryPoint = Math.min(recoveryPoint, end);
        this.committed = this.recoveryPoint;
    }

    long start() {
        return start;
    }

    Tail tail() {
        return tail;
    }

    long end() {
        return tail.end;
    }

    long highWatermark() {
        return highWatermark;
    }

    long recoveryPoint() {
        return recoveryPoint;
    }

    /// The batches below are durable; their indexes and all else need not be.
    long committed() {
        return committed;
    }

    /// A transaction whose beginning was deleted holds back what is left of the log.
    long lastStable() {
        return Math.max(start, Math.min(firstUnstable, highWatermark));
    }

    void appended(Segment active, long newEnd) {
        tail = new Tail(active, active.sizeBytes(), newEnd);
    }

    /// The log will be cut at `offset`. Until it is, the recovery point stays there or below.
    ///
    /// @return whether the recovery point was above
    boolean truncating(long offset) {
        countTruncation();
        recoveryCeiling = offset;
        boolean above = recoveryPoint > offset;
        recoveryPoint = Math.min(recoveryPoint, offset);
        committed = Math.min(committed, offset);
        return above;
    }

    // Under the lock, so nobody else writes it.
    private void countTruncation() {
        int count = truncations;
        truncations = count + 1;
    }

    void truncated(Segment active, long newEnd) {
        countTruncation();
        recoveryCeiling = Long.MAX_VALUE;
        recoveryPoint = Math.min(recoveryPoint, newEnd);
        committed = Math.min(committed, newEnd);
        highWatermark = Math.min(highWatermark, newEnd);
        start = Math.min(start, newEnd);
        tail = new Tail(active, active.sizeBytes(), newEnd);
    }

    /// @return whether that changed anything
    boolean raiseStart(long offset) {
        if (offset <= start) {
            return false;
        }
        start = offset;
        raiseHighWatermark(offset);
        return true;
    }

    long raiseHighWatermark(long offset) {
        long raised = Math.max(highWatermark, Math.min(offset, end()));
        highWatermark = raised;
        return raised;
    }

    /// To be taken before a sync or a clean begins.
    int truncations() {
        return truncations;
    }

    /// @param truncationsBefore as they were counted when the sync began
    void synced(long offset, int truncationsBefore) {
        if (truncations == truncationsBefore) {
            recoveryPoint = Math.max(recoveryPoint, Math.min(offset, Math.min(end(), recoveryCeiling)));
            committed = Math.max(committed, recoveryPoint);
        }
    }

    /// @param truncationsBefore as they were counted when the sync of the batches began
    void committed(long offset, int truncationsBefore) {
        if (truncations == truncationsBefore) {
            committed = Math.max(committed, Math.min(offset, Math.min(end(), recoveryCeiling)));
        }
    }

    void unstableFrom(long offset) {
        firstUnstable = offset;
    }
}
