package io.millrace.standalone.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits between two looks at something that cannot call back: another process, a file, a port.
public final class Pause {

    private Pause() {}

    /// Returns after about that long, or at once if the thread is interrupted.
    public static void of(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }
}
