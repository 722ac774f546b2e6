package io.millrace.standalone.launcher;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.millrace.standalone.process.Failed;

/// The built jars, and how a JVM is started on them.
///
/// @param home the folder that holds `lib/*.jar`
record Distribution(Path home) {

    /// Of every JVM; the start-up cache is of use only with these.
    static final List<String> OPTIONS = List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders",
            "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /// The one that this class was loaded from.
    static Distribution own() {
        try {
            Path jar = Path.of(Distribution.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path lib = jar.getParent();
            if (lib == null || lib.getParent() == null || !jar.toString().endsWith(".jar")) {
                throw new Failed("not started from a distribution: " + jar);
            }
            return new Distribution(lib.getParent());
        } catch (URISyntaxException e) {
            throw new Failed("not started from a distribution: " + e.getMessage());
        }
    }

    /// The class path of every process: all jars, in an order that is the same each time, as the start-up cache asks for.
    String classPath() {
        try (var jars = Files.list(home.resolve("lib"))) {
            return jars.map(Path::toString).filter(it -> it.endsWith(".jar")).sorted().collect(Collectors.joining(":"));
        } catch (IOException e) {
            throw new Failed("no distribution at " + home + ": " + e.getMessage());
        }
    }

    /// The file of the start-up cache; it need not exist.
    Path cache() {
        return home.resolve("millrace.aot");
    }

    /// A command that starts a JVM.
    ///
    /// @param heapMegabytes the most heap it may take
    /// @param options more options of the JVM
    List<String> java(int heapMegabytes, List<String> options, Class<?> main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMegabytes + "m");
        command.addAll(OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(arguments);
        return command;
    }
}
