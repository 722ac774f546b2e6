package io.millrace.controller;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/// What is logged as a warning, from when it is made until it is closed.
final class Warnings implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();

    private Warnings(Logger logger) {
        this.logger = logger;
    }

    /// @param name of the logger, with all below it
    static Warnings of(String name) {
        var warnings = new Warnings((Logger) LoggerFactory.getLogger(name));
        warnings.events.start();
        warnings.logger.addAppender(warnings.events);
        return warnings;
    }

    /// Those that contain `text`.
    List<String> with(String text) {
        return List.copyOf(events.list).stream().filter(event -> event.getLevel().equals(Level.WARN)).map(
                ILoggingEvent::getFormattedMessage).filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(events);
    }
}
