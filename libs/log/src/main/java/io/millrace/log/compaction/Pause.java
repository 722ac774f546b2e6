package io.millrace.log.compaction;

import java.time.Duration;

/// Lets the calling thread wait; it may wait less.
@FunctionalInterface
public interface Pause {
    void pause(Duration time);
}
