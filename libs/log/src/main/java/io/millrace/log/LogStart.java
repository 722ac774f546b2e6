package io.millrace.log;

import io.millrace.log.recovery.RecoveryProgress;

/// What is known of a log before it is opened.
///
/// @param cleanShutdown whether nothing has to be scanned
/// @param clean how far the cleaner had come
/// @param progress told how far its recovery is
record LogStart(LogCheckpoint checkpoint, boolean cleanShutdown, LogCompaction.Progress clean,
        RecoveryProgress progress) {

    static LogStart of(LogCheckpoint checkpoint, boolean cleanShutdown) {
        return new LogStart(checkpoint, cleanShutdown, LogCompaction.Progress.NONE, RecoveryProgress.NONE);
    }
}
