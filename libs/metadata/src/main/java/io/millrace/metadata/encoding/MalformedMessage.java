package io.millrace.metadata.encoding;

/// Bytes that are not the message they ought to be. The peer is at fault, so it has no stack trace of ours.
public final class MalformedMessage extends RuntimeException {
    /// @param message what is wrong
    public MalformedMessage(String message) {
        super(message, null, false, false);
    }
}
