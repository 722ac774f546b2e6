package io.millrace.tests.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Waits for the end of what a writer or reader runs on.
final class Ends {

    private static final Duration LIMIT = Duration.ofSeconds(310);

    private Ends() {}

    static void join(Thread thread) {
        try {
            if (!thread.join(LIMIT)) {
                throw new AssertionError(thread.getName() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return whether it has ended by itself
    static boolean await(Process process) {
        try {
            return process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
