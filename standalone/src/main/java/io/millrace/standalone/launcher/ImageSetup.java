package io.millrace.standalone.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.standalone.image.HealthCheck;
import io.millrace.standalone.process.Failed;

/// Run once while the container image is built: makes the start-up cache, and the files of JVM arguments that its entry
/// point and its health check are started with (`java @FILE`), since nothing at run time could list the jars.
public final class ImageSetup {

    private ImageSetup() {}

    /// Ends with 1, and a line that says why, where there is no cache to be had.
    public static void main(String[] args) throws IOException {
        var distribution = Distribution.own();
        try {
            new StartUpCache(distribution, System.out).prepare();
            if (!Files.exists(distribution.cache())) {
                throw new Failed("the start-up cache could not be made");
            }
            write(distribution.home().resolve("service.args"), service(distribution));
            write(distribution.home().resolve("health.args"), health());
        } catch (Failed failure) {
            System.err.println("image: " + failure.getMessage());
            System.exit(failure.exitCode());
        }
    }

    /// The same options as those of the cache, which is of no use with others.
    private static List<String> service(Distribution distribution) {
        var options = new ArrayList<>(Distribution.OPTIONS);
        options.addAll(List.of("-XX:AOTCache=" + distribution.cache(), "-cp", distribution.classPath()));
        return options;
    }

    private static List<String> health() {
        var own = Path.of(HealthCheck.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        return List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-cp",
                own.toString(), HealthCheck.class.getName());
    }

    private static void write(Path file, List<String> arguments) throws IOException {
        Files.write(file, arguments);
    }
}
