package io.millrace.service.lifecycle;

import java.util.List;
import java.util.concurrent.Executor;

/// Loops that must turn for the process to be worth keeping. Those in a context are shown as `/actuator/health/liveness`.
///
/// @param loops by name, for the one that asks why
public record LivenessCheck(List<NamedLoop> loops) {
    public LivenessCheck {
        loops = List.copyOf(loops);
    }

    /// @param name as shown: `membership-broker-0`
    /// @param loop runs a task on the thread that it is about; one that refuses tasks is on its way down, and well
    public record NamedLoop(String name, Executor loop) {}

    /// A check of one loop.
    public static LivenessCheck of(String name, Executor loop) {
        return new LivenessCheck(List.of(new NamedLoop(name, loop)));
    }
}
