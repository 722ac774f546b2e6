package io.millrace.service.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What runs here: the version of the build.
public final class SoftwareVersion {
    private static final String RESOURCE = "version.properties";

    private SoftwareVersion() {}

    /// Such as `0.1.0`.
    public static String current() {
        var properties = new Properties();
        try (var in = SoftwareVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("not in the build: " + RESOURCE);
            }
            properties.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version", "unknown");
    }
}
