package io.millrace.broker;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.Role;
import io.millrace.service.config.ServerSettings;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;

/// Gives away what this broker leads before it stops. What nobody can take now (no other replica is in sync) is asked for
/// again a few times; whatever comes of it, the broker stops in the end, and others take over once its registration is gone.
@Slf4j
final class HandOver {
    /// All tries together: a stop is bounded, whoever does not answer.
    private static final Duration MOST = Duration.ofSeconds(25);
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

    private final int broker;
    private final Rules rules;
    private final ControllerClient controller;
    private final LongSupplier brokerEpoch;
    private final Ticker ticker;

    /// How often it is tried.
    ///
    /// @param enabled `controlled.shutdown.enable`
    /// @param retries `controlled.shutdown.max.retries`
    /// @param backoff `controlled.shutdown.retry.backoff.ms`
    /// @param answerWait the least of `controller.socket.timeout.ms` and ten seconds
    record Rules(boolean enabled, int retries, Duration backoff, Duration answerWait) {
        static Rules of(ServerSettings settings) {
            var told = Duration.ofMillis(settings.getInt("controller.socket.timeout.ms"));
            return new Rules(settings.getBoolean("controlled.shutdown.enable"), settings.getInt(
                    "controlled.shutdown.max.retries"), Duration.ofMillis(settings.getLong(
                            "controlled.shutdown.retry.backoff.ms")), told.compareTo(ANSWER_WAIT) < 0
                                    ? told
                                    : ANSWER_WAIT);
        }
    }

    /// @param brokerEpoch of this broker's registration
    HandOver(int broker, Rules rules, ControllerClient controller, LongSupplier brokerEpoch, Ticker ticker) {
        this.broker = broker;
        this.rules = rules;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
        this.ticker = ticker;
    }

    /// Blocks until all is given away, or it was tried in vain often or long enough.
    ///
    /// @return whether all is given away
    boolean run() throws InterruptedException {
        if (!rules.enabled()) {
            return false;
        }
        var deadline = Deadline.in(MOST, ticker);
        for (int tried = 0; tried <= rules.retries() && !deadline.passed(); tried++) {
            if (tried > 0) {
                Thread.sleep(shorter(rules.backoff(), deadline.remaining()));
            }
            if (tried(shorter(rules.answerWait(), deadline.remaining()))) {
                return true;
            }
        }
        log.warn("stopping without having handed over all broker={}", broker);
        return false;
    }

    private boolean tried(Duration wait) throws InterruptedException {
        var command = new ControlledShutdown(Role.BROKER, broker, brokerEpoch.getAsLong());
        try {
            int remaining = controller.send(command, wait).get(wait.toMillis(), TimeUnit.MILLISECONDS).remaining();
            log.info("handed over broker={} remaining={}", broker, remaining);
            return remaining == 0;
        } catch (ExecutionException | TimeoutException failure) {
            log.warn("not handed over broker={} reason={}", broker, Failures.cause(failure).toString());
            return false;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
