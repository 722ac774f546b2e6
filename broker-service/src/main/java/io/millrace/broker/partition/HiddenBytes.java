package io.millrace.broker.partition;

/// Bytes below the high watermark that readers of committed records do not see yet, about: those of open transactions, and
/// all that lies behind them. Any thread may call.
final class HiddenBytes {
    private long shownTo;
    private long bytes;

    HiddenBytes(long lastStable) {
        this.shownTo = lastStable;
    }

    /// The high watermark moved.
    ///
    /// @param replicated bytes that it passed, about
    /// @return bytes that readers of committed records may see now, about; 0 where none
    synchronized long shown(long lastStable, long highWatermark, long replicated) {
        bytes += replicated;
        if (lastStable <= shownTo) {
            return 0;
        }
        // A share: which batches lie where is not kept. Over time the shares add up to all.
        long shown = lastStable >= highWatermark
                ? bytes
                : (long) (bytes * ((double) (lastStable - shownTo) / (highWatermark - shownTo)));
        bytes -= shown;
        shownTo = lastStable;
        return Math.max(1, shown);
    }

    /// What was known no longer holds: the log was cut, or begins elsewhere.
    synchronized void reset(long lastStable) {
        shownTo = lastStable;
        bytes = 0;
    }
}
