package io.millrace.tests.simulation;

import java.io.IOException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Listens to what the nodes of one simulation log, in whose thread it is made: an error that no disk and no network explains is a bug, even
/// where whoever met it goes on.
final class LoggedBugs extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.millrace");
    private final Thread own = Thread.currentThread();
    private @Nullable Violation found;

    /// @param shown whether it is printed as well
    static LoggedBugs listen(boolean shown) {
        var bugs = new LoggedBugs();
        bugs.setContext(bugs.logger.getLoggerContext());
        bugs.start();
        // It stays so: other simulations run at the same time.
        var level = shown ? Level.INFO : Level.ERROR;
        if (!level.equals(bugs.logger.getLevel())) {
            bugs.logger.setLevel(level);
            bugs.logger.setAdditive(shown);
        }
        bugs.logger.addAppender(bugs);
        return bugs;
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (found == null && own.equals(Thread.currentThread()) && event.getLevel() == Level.ERROR && event
                .getThrowableProxy() instanceof ThrowableProxy proxy
                && !isAccident(proxy.getThrowable())) {
            found = new Violation("%s logged: %s", event.getLoggerName(), event.getFormattedMessage());
            found.initCause(proxy.getThrowable());
        }
    }

    private static boolean isAccident(@Nullable Throwable failure) {
        return failure != null && (failure instanceof IOException || isAccident(failure.getCause()));
    }

    /// @throws Violation where one was met
    void check() {
        var bug = found;
        if (bug != null) {
            throw bug;
        }
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
