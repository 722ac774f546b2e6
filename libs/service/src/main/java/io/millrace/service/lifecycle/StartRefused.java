package io.millrace.service.lifecycle;

/// A service cannot start for a reason that a person has to remove: a bad setting, a port in use, a foreign node of the
/// same id. Its message is the one line that is logged; it has no stack trace.
public final class StartRefused extends RuntimeException {

    /// @param message names what is wrong (the key, the address, the path) and what would be right
    public StartRefused(String message) {
        super(message, null, false, false);
    }
}
