package io.millrace.tests.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A program of others, in a JVM of its own, with the class path that a folder of `tests` builds.
final class JavaProgram {

    private JavaProgram() {}

    /// @param folder under `tests`, with a file `target/class-path`
    /// @param options of the JVM, beside those that keep it small
    /// @param before class path entries in front of the folder's own
    static Program of(String folder, List<String> options, String main, Path... before) {
        var command = new ArrayList<>(List.of(Home.java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-Dlog4j.configuration=file:" + Home.tests("src", "test", "resources", "tools-log4j.properties"),
                "-Dlog4j2.configurationFile=" + Home.tests("src", "test", "resources", "tools-log4j2.properties")));
        command.addAll(options);
        String entries = Stream.concat(Stream.of(before).map(Path::toString), Stream.of(classPath(folder))).collect(
                Collectors.joining(":"));
        command.addAll(List.of("-cp", entries, main));
        return Program.of(command);
    }

    private static String classPath(String folder) {
        Path file = Home.tests(folder, "target", "class-path");
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new UncheckedIOException("run the build from the root: it writes the class path of " + folder, e);
        }
    }
}
