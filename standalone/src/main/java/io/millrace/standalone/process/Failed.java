package io.millrace.standalone.process;

/// What was asked for cannot be done. The message is one line for the person who asked.
public final class Failed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /// @param exitCode what the command ends with, not zero
    public Failed(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /// A failure of the usual kind: exit code 1.
    public Failed(String message) {
        this(1, message);
    }

    /// What the command ends with.
    public int exitCode() {
        return exitCode;
    }
}
