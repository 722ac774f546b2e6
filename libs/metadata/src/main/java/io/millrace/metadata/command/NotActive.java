package io.millrace.metadata.command;

import java.util.Optional;

import io.millrace.metadata.controller.ControllerAddress;
import org.jspecify.annotations.Nullable;

/// This controller is a standby and did nothing of the command. An answer, so it has no stack trace.
public final class NotActive extends RuntimeException {
    private final transient @Nullable ControllerAddress active;

    /// @param active the one to ask; null where this one does not know
    public NotActive(@Nullable ControllerAddress active) {
        super("not the active controller; that is " + (active == null ? "unknown" : active), null, false, false);
        this.active = active;
    }

    /// The one to ask.
    public Optional<ControllerAddress> active() {
        return Optional.ofNullable(active);
    }
}
