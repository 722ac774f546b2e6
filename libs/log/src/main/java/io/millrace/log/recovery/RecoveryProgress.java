package io.millrace.log.recovery;

/// Is told how far the recovery of a log is, on the thread that opens it.
@FunctionalInterface
public interface RecoveryProgress {
    /// Tells nobody.
    RecoveryProgress NONE = _ -> {};

    /// So many segments of the log are still to be gone over; 0 once it is open.
    void remaining(int segments);
}
