package io.millrace.tests.chart;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

/// Prometheus' own checks; `promtool` comes with Debian's package prometheus.
final class Promtool {
    private static final Path PROGRAM = Path.of("/usr/bin/promtool");

    /// How it ended.
    record Result(int exitCode, String out) {}

    private Promtool() {}

    /// Skips the test where the program is not installed, and fails it there with `CI=true`.
    static Result run(Path folder, String... arguments) throws IOException, InterruptedException {
        if (!Files.isExecutable(PROGRAM)) {
            if ("true".equals(System.getenv("CI"))) {
                fail("missing on this machine, and required: promtool, of Debian's package prometheus");
            }
            Assumptions.abort("skipped, not installed: promtool, of Debian's package prometheus");
        }
        var command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            fail("promtool does not end");
        }
        return new Result(process.exitValue(), out);
    }
}
