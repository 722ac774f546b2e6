package io.millrace.tests.containers;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The engine of this machine, by its command line.
final class Docker {
    static final Path HOME = Path.of(System.getProperty("millrace.home", "../..")).toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(8);

    private static boolean prepared;

    private record Ended(int exitCode, String out) {}

    private Docker() {}

    /// Makes the images, once for all tests. Fails in one line where no engine answers.
    static synchronized void prepare() {
        if (prepared) {
            return;
        }
        if (execute(HOME, Map.of(), List.of("docker", "info")).exitCode() != 0) {
            fail("the profile containers needs a Docker engine, and none answers on this machine");
        }
        run(HOME, Map.of(), HOME.resolve("tests/images/prepare").toString());
        prepared = true;
    }

    /// `docker` with these arguments; what it printed.
    static String docker(String... arguments) {
        var command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return run(HOME, Map.of(), command.toArray(String[]::new));
    }

    /// `docker inspect` of one thing, by a template of Go's.
    static String inspect(String what, String template) {
        return docker("inspect", "-f", template, what);
    }

    /// Version 2 of Compose where there is one, else version 1.
    static List<String> compose() {
        return execute(HOME, Map.of(), List.of("docker", "compose", "version")).exitCode() == 0
                ? List.of("docker", "compose")
                : List.of("docker-compose");
    }

    /// Runs it to its end; one that fails, fails the test with what it printed.
    static String run(Path folder, Map<String, String> environment, String... command) {
        var ended = execute(folder, environment, List.of(command));
        if (ended.exitCode() != 0) {
            fail(String.join(" ", command) + " ended with " + ended.exitCode() + ": " + ended.out());
        }
        return ended.out().strip();
    }

    private static Ended execute(Path folder, Map<String, String> environment, List<String> command) {
        try {
            var out = Files.createTempFile("docker", ".out");
            try {
                var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile()).redirectOutput(out.toFile());
                builder.environment().putAll(new HashMap<>(environment));
                var process = builder.start();
                if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return new Ended(-1, "it did not end within " + LIMIT);
                }
                return new Ended(process.exitValue(), new String(Files.readAllBytes(out), StandardCharsets.UTF_8));
            } finally {
                Files.delete(out);
            }
        } catch (IOException notThere) {
            if (command.equals(List.of("docker", "info")) || command.contains("version")) {
                return new Ended(-1, String.valueOf(notThere.getMessage()));
            }
            throw new UncheckedIOException(notThere);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
