package io.millrace.bench.failover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands and signals.
final class Shell {

    private static final int LIMIT_SECONDS = 180;

    private Shell() {}

    /// What a command left behind.
    record Result(int exitCode, String out) {}

    static Result run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("does not end: " + command);
            }
            return new Result(process.exitValue(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Sends the signal at once: no program is started between now and then but the shell.
    static void signal(long pid, String signal) {
        if (run(List.of("bash", "-c", "kill -" + signal + " " + pid)).exitCode() != 0) {
            throw new IllegalStateException("cannot send " + signal + " to " + pid);
        }
    }

    static void awaitEnd(long pid) {
        Wait.until("process " + pid + " has ended", () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                .isEmpty());
    }
}
