package io.millrace.wire.error;

import org.apache.kafka.common.protocol.Errors;

/// An answer that says no: expected, cheap (no stack trace), with the Kafka code that the client will see.
public final class Refused extends RuntimeException {
    private final transient Errors error;

    /// @param error what the client gets; never [Errors#NONE]
    /// @param message what the client reads where the answer has room for a text; name topic, partition, epochs
    public Refused(Errors error, String message) {
        super(message, null, false, false);
        if (error == Errors.NONE) {
            throw new IllegalArgumentException("a refusal needs an error: " + message);
        }
        this.error = error;
    }

    public Errors error() {
        return error;
    }
}
