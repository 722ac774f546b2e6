package io.millrace.service.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;

/// Keeps what it is asked and answers as the test says.
final class FakeController implements ControllerClient {
    final List<Command<?>> asked = new ArrayList<>();
    private Function<Command<?>, CompletableFuture<?>> answer = _ -> new CompletableFuture<>();

    void answers(Function<Command<?>, Object> made) {
        answer = command -> CompletableFuture.completedFuture(made.apply(command));
    }

    void fails(Throwable failure) {
        answer = _ -> CompletableFuture.failedFuture(failure);
    }

    void answersLater(CompletableFuture<?> later) {
        answer = _ -> later;
    }

    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        asked.add(command);
        return answer.apply(command).thenApply(command.resultType()::cast);
    }

    @Override
    public void close() {}
}
