package io.millrace.tests.program;

import java.nio.file.Path;

/// Where things are in the source tree.
public final class Home {

    private Home() {}

    /// The folder of the root `pom.xml`.
    public static Path root() {
        String home = System.getProperty("millrace.home");
        return home == null ? Path.of("..").toAbsolutePath().normalize() : Path.of(home);
    }

    /// A folder of this module.
    public static Path tests(String first, String... more) {
        return root().resolve("tests").resolve(Path.of(first, more));
    }

    /// The compiled classes of this module.
    public static Path classes() {
        return Path.of(Home.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /// The `java` that runs this test.
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
