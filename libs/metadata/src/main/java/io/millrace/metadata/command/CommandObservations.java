package io.millrace.metadata.command;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.netty.handler.codec.http.HttpHeaders;

/// What is observed of a command at either end: a timer by command and outcome and, where the process traces, a span of
/// the caller's trace, which goes along in headers.
final class CommandObservations {
    private static final String COMMAND = "command";
    private static final String OUTCOME = "outcome";

    private CommandObservations() {}

    /// Where a command came to, as metrics and log lines name it.
    enum Outcome {
        DONE, REFUSED, STANDBY, FAILED;

        static Outcome of(Throwable failure) {
            return switch (failure) {
                case CompletionException wrapped when wrapped.getCause() != null -> of(wrapped.getCause());
                case NotActive _ -> STANDBY;
                case CommandRefused _ -> REFUSED;
                case CommandRouter.Unknown _ -> REFUSED;
                case Bodies.TooLarge _ -> REFUSED;
                case IllegalArgumentException _ -> REFUSED;
                default -> FAILED;
            };
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Begun by whoever sends a command, in the trace of the calling thread.
    ///
    /// @param headers gets those that go along with the command
    static Observation sent(ObservationRegistry registry, String command, Map<String, String> headers) {
        return Observation.createNotStarted("millrace.command.sent", () -> {
            var context = new SenderContext<Map<String, String>>((_, key, value) -> headers.put(key, value),
                    Kind.CLIENT);
            context.setCarrier(headers);
            return context;
        }, registry).contextualName("send " + command).lowCardinalityKeyValue(COMMAND, command).start();
    }

    /// Begun by the controller that a command came to.
    ///
    /// @param command the name of one that there is: whatever else somebody asks for must not become a series
    static Observation received(ObservationRegistry registry, String command, HttpHeaders headers) {
        return Observation.createNotStarted("millrace.controller.command", () -> {
            var context = new ReceiverContext<HttpHeaders>((_, key) -> headers.get(key), Kind.SERVER);
            context.setCarrier(headers);
            return context;
        }, registry).contextualName("command " + command).lowCardinalityKeyValue(COMMAND, command).start();
    }

    /// Ends it.
    static void end(Observation observation, Outcome outcome) {
        observation.lowCardinalityKeyValue(OUTCOME, outcome.label()).stop();
    }
}
