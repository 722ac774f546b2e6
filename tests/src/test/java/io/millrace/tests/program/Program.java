package io.millrace.tests.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A command that is run to its end.
public final class Program {

    private static final Duration LIMIT = Duration.ofMinutes(6);

    private final List<String> command;
    private final Map<String, String> environment;

    /// What a program left behind.
    public record Result(int exitCode, String out, String err) {

        /// Its lines, without empty ones.
        public List<String> lines() {
            return out.lines().filter(line -> !line.isBlank()).toList();
        }

        /// The same, if the program ended with 0; else the test fails with all that it printed.
        public Result succeeded() {
            assertThat(exitCode).as("exit code; out: %s%nerr: %s", out, err).isZero();
            return this;
        }

        /// Both streams, for looking at messages.
        public String all() {
            return out + err;
        }
    }

    private Program(List<String> command, Map<String, String> environment) {
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
    }

    /// The program and its first arguments.
    public static Program of(List<String> command) {
        return new Program(command, Map.of());
    }

    /// This program with more arguments.
    public Program with(String... arguments) {
        var longer = new ArrayList<>(command);
        longer.addAll(List.of(arguments));
        return new Program(longer, environment);
    }

    /// This program with these variables beside those of the test.
    public Program in(Map<String, String> variables) {
        return new Program(command, variables);
    }

    /// Runs it with nothing on its standard input.
    public Result run() {
        return run("");
    }

    /// Runs it; one that does not end within six minutes fails the test and is killed.
    ///
    /// @param input its standard input
    public Result run(String input) {
        try {
            Path folder = Files.createTempDirectory("program");
            Path in = Files.writeString(folder.resolve("in"), input);
            Path out = folder.resolve("out");
            Path err = folder.resolve("err");
            var builder = new ProcessBuilder(command).redirectInput(in.toFile()).redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(ended).as("%s ends in time; out: %s%nerr: %s", command, read(out), read(err)).isTrue();
                return new Result(process.exitValue(), read(out), read(err));
            } finally {
                process.destroyForcibly();
                for (Path file : List.of(in, out, err, folder)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Starts it, for whoever ends it: all that it prints goes into that file, behind what is there.
    public Process start(Path output) {
        var redirect = ProcessBuilder.Redirect.appendTo(output.toFile());
        try {
            return new ProcessBuilder(command).redirectOutput(redirect).redirectError(redirect).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
