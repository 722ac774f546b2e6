package io.millrace.coordinator.record;

/// A stored record that its schema does not explain: the log is damaged, or a newer program wrote it.
public final class MalformedRecord extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedRecord(String message, Throwable cause) {
        super(message, cause);
    }

    MalformedRecord(String message) {
        super(message);
    }
}
