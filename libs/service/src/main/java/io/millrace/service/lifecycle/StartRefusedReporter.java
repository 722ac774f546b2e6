package io.millrace.service.lifecycle;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Says in one line why a service did not start, where a person has to remove the reason; Spring reports the rest.
@Slf4j
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartRefusedReporter implements SpringBootExceptionReporter {

    /// As Spring constructs it.
    StartRefusedReporter(@Nullable ConfigurableApplicationContext context) {
        log.trace("reports for {}", context);
    }

    @Override
    public boolean reportException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case StartRefused refused -> {
                    log.error("not started: {}", refused.getMessage());
                    return true;
                }
                case PortInUseException taken -> {
                    log.error("not started: server.port: {}", taken.getMessage());
                    return true;
                }
                default -> {
                }
            }
        }
        return false;
    }
}
