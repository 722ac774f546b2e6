package io.millrace.log.compaction;

/// The bytes of a log make no sense where the cleaner reads them, or its map has no room for one batch: that log is left alone.
final class Uncleanable extends Exception {
    private final String reason;

    Uncleanable(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
