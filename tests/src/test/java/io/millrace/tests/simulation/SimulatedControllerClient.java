package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Ticker;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.NotActive;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import org.jspecify.annotations.Nullable;

/// Commands to the active controller over the simulated network. A command is sent again only where it surely was not
/// carried out, as by the real client.
final class SimulatedControllerClient implements ControllerClient {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private final ActiveController locator;
    private final IntFunction<SimulatedController> controllers;
    private final Ticker ticker;

    SimulatedControllerClient(SimulatedNetwork network, SimulatedProcess process, ActiveController locator,
            IntFunction<SimulatedController> controllers, Ticker ticker) {
        this.network = network;
        this.process = process;
        this.locator = locator;
        this.controllers = controllers;
        this.ticker = ticker;
    }

    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        var answer = new CompletableFuture<R>();
        var late = process.schedule(timeout, () -> answer.completeExceptionally(new TimeoutException("no answer to "
                + command)));
        answer.whenComplete((_, _) -> late.cancel());
        attempt(command, Deadline.in(timeout, ticker), answer);
        return answer;
    }

    private <R> void attempt(Command<R> command, Deadline deadline, CompletableFuture<R> answer) {
        if (answer.isDone()) {
            return;
        }
        locator.locate().whenComplete((address, unknown) -> {
            if (unknown != null) {
                again(command, deadline, answer);
                return;
            }
            network.call(process, address.host(), () -> controllers.apply(address.id()).handle(command)).whenComplete((
                    result, failure) -> finish(command, deadline, answer, address, result, failure));
        });
    }

    private <R> void finish(Command<R> command, Deadline deadline, CompletableFuture<R> answer,
            ControllerAddress address, R result, @Nullable Throwable failure) {
        switch (failure) {
            case null -> answer.complete(result);
            case CommandRefused refused -> answer.completeExceptionally(refused);
            case NotActive _,SimulatedNetwork.ConnectionRefused _ -> {
                locator.forget(address);
                again(command, deadline, answer);
            }
            default -> {
                locator.forget(address);
                answer.completeExceptionally(new TimeoutException(failure.toString()));
            }
        }
    }

    private <R> void again(Command<R> command, Deadline deadline, CompletableFuture<R> answer) {
        process.schedule(PAUSE, () -> attempt(command, deadline, answer));
    }

    @Override
    public void close() {
        // What is in flight ends with the process.
    }
}
