package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.function.Consumer;

import io.millrace.metadata.command.Command;
import io.millrace.service.subscription.ZnodeActiveController;

/// What people ask of the active controller, each once. What becomes of it is in the trace.
final class AdminRequests {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Trace trace;
    private final SimulatedControllerClient controller;

    AdminRequests(SimulatedClient client, SimulatedControllers controllers) {
        var world = client.world();
        trace = world.trace();
        var znodes = world.zookeeper().client(client.process(), Settings.SESSION_TIMEOUT, world.random().split());
        controller = new SimulatedControllerClient(world.network(), client.process(), new ZnodeActiveController(znodes,
                client.process()), controllers::get, world.loop().ticker());
    }

    /// @param what in a few words, the same in every run
    /// @param onAnswer not called where it is refused or not answered
    <R> void ask(String what, Command<R> command, Consumer<R> onAnswer) {
        trace.say("ask %s", what);
        controller.send(command, TIMEOUT).whenComplete((result, failure) -> {
            if (failure == null) {
                trace.say("answered %s", result);
                onAnswer.accept(result);
            } else {
                trace.say("refused %s", failure);
            }
        });
    }
}
