package io.millrace.base.loop;

/// A task that [Loop#schedule] will run later.
@FunctionalInterface
public interface Timeout {

    /// Keeps the task from running, unless it has already begun. Harmless when repeated; callable from any thread.
    void cancel();
}
