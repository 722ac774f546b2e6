package io.millrace.service.lifecycle;

import java.time.Duration;

/// One step of a service's start and the same step of its stop.
///
/// @param name as logs show it: `listeners`, `registration`
/// @param start done on the way up, in order; may block
/// @param stop done on the way down, in reverse order, only where `start` was begun; may block
/// @param atMost how long either may take; a start that takes longer fails the service, a stop is left behind
public record Step(String name, Action start, Action stop, Duration atMost) {
    private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

    /// With half a minute for either.
    public Step(String name, Action start, Action stop) {
        this(name, start, stop, DEFAULT_DEADLINE);
    }

    /// A thing that needs no start and is closed at the end.
    public static Step closing(String name, AutoCloseable resource) {
        return new Step(name, () -> {}, resource::close);
    }

    /// Work that may block and fail.
    @FunctionalInterface
    public interface Action {
        /// @throws Exception where the step failed
        void run() throws Exception;
    }
}
