package io.millrace.metadata.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.metadata.controller.ActiveController;

/// Sends commands to whichever controller is active. Callable from any thread.
public interface ControllerClient extends AutoCloseable {

    /// A client that finds the active controller by `locator`.
    ///
    /// @param observations of each command, in the trace of the thread that sends it; what they have to pass on goes along
    static ControllerClient create(ActiveController locator, ObservationRegistry observations) {
        return new HttpControllerClient(locator, observations);
    }

    /// Sends `command` and answers what the controller did. It is sent again only where it surely was not carried out:
    /// the connection was refused, or that controller is not the active one.
    ///
    /// Fails with [CommandRefused] where the controller refused it, and with a [java.util.concurrent.TimeoutException]
    /// where no answer came: then it may have been carried out or not.
    ///
    /// @param timeout for all tries together
    <R> CompletableFuture<R> send(Command<R> command, Duration timeout);

    /// Sends nothing any more; what is in flight ends by itself.
    @Override
    void close();
}
