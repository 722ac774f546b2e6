package io.millrace.wire.error;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/// Another node could not be reached, or the connection to it broke before it answered. Names its host and port.
public final class NodeUnreachable extends IOException {

    public NodeUnreachable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
