package io.millrace.standalone.process;

/// What a recorded process is doing.
public enum ProcessState {
    RUNNING,
    /// Held by a STOP signal: it is there and does nothing.
    STOPPED,
    /// It has ended, or was never started.
    GONE
}
