package io.millrace.metadata.command;

/// The controller refused a command as a whole, on purpose: an answer, so it has no stack trace.
public final class CommandRefused extends RuntimeException {
    private final short errorCode;

    /// @param errorCode Kafka's
    /// @param message for people
    public CommandRefused(short errorCode, String message) {
        super(message, null, false, false);
        this.errorCode = errorCode;
    }

    /// Kafka's code.
    public short errorCode() {
        return errorCode;
    }
}
