package io.millrace.wire.frame;

import java.io.IOException;

/// The other end sent what is no Kafka request or answer, or one that is not allowed. Its connection cannot be used any
/// more. Caused by the other end, hence without a stack trace.
public final class BadFrame extends IOException {

    public BadFrame(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
