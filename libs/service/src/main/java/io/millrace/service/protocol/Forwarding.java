package io.millrace.service.protocol;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Sends what only the controller can do to the one that is active, and makes Kafka's answers of what comes back.
final class Forwarding {
    /// Added to what a client is willing to wait, so that the controller's own answer to a late request still arrives.
    private static final Duration GRACE = Duration.ofSeconds(2);

    /// A client that does not want to wait still needs the controller's answer.
    private static final Duration LEAST = Duration.ofSeconds(5);

    private final ControllerClient controller;

    Forwarding(ControllerClient controller) {
        this.controller = controller;
    }

    /// Fails with a [Refused] where the controller refused or did not answer; with anything else for a bug.
    ///
    /// @param timeoutMillis what the client is willing to wait; may be negative
    <R> CompletableFuture<R> send(Command<R> command, long timeoutMillis) {
        var wait = Duration.ofMillis(Math.max(0, timeoutMillis)).plus(GRACE);
        return controller.send(command, wait.compareTo(LEAST) < 0 ? LEAST : wait)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(translated(failure)));
    }

    /// The connection that failed is this node's, not the client's: it asks again later, as after a wait.
    private static Throwable translated(Throwable failure) {
        return switch (Failures.cause(failure)) {
            case CommandRefused refused ->
                new Refused(Errors.forCode(refused.errorCode()), String.valueOf(refused.getMessage()));
            case TimeoutException _ -> new Refused(Errors.REQUEST_TIMED_OUT, "the controller did not answer in time");
            case IOException _ -> new Refused(Errors.REQUEST_TIMED_OUT, "no active controller could be reached");
            case Throwable other -> other;
        };
    }
}
