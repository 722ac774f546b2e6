package io.millrace.standalone;

import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.StandardEnvironment;

/// Logging before the first service starts, which is when Spring Boot would set it up; it then finds it done.
public final class PlainLogging {

    private PlainLogging() {}

    /// Lines in the form that services write, and of ZooKeeper nothing below a warning.
    public static void start() {
        LoggingSystem system = LoggingSystem.get(PlainLogging.class.getClassLoader());
        system.beforeInitialize();
        system.initialize(new LoggingInitializationContext(new StandardEnvironment()),
                "classpath:millrace-plain-logback.xml", null);
    }
}
