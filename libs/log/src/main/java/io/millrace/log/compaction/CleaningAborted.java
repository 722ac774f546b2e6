package io.millrace.log.compaction;

/// A clean ends before it is done, and the log stays as it was: it was cut, deleted or closed meanwhile, or the cleaner stops.
final class CleaningAborted extends Exception {
    CleaningAborted(String reason) {
        super(reason, null, false, false);
    }
}
