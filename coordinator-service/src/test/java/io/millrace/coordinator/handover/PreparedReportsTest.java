package io.millrace.coordinator.handover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.metadata.image.ShardKind;
import org.junit.jupiter.api.Test;

class PreparedReportsTest {
    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<ShardsPrepared> sent = new ArrayList<>();
    private final List<CompletableFuture<ShardsPrepared.Result>> answers = new ArrayList<>();

    private final PreparedReports reports = new PreparedReports(new ControllerClient() {
        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            sent.add((ShardsPrepared) command);
            var answer = new CompletableFuture<ShardsPrepared.Result>();
            answers.add(answer);
            return answer.thenApply(command.resultType()::cast);
        }

        @Override
        public void close() {}
    }, 1000, () -> 77, loop);

    private static Prepared shard(int number) {
        return new Prepared(ShardKind.GROUP, number, 2);
    }

    private void ready(int... numbers) {
        for (int number : numbers) {
            reports.accept(shard(number));
        }
        loop.runPending();
    }

    @Test
    void whatBecomesReadyWhileACommandIsOnItsWayGoesWithTheNext() {
        ready(0);
        ready(1, 2, 1);
        assertThat(sent).containsExactly(new ShardsPrepared(1000, 77, List.of(shard(0))));

        answers.getFirst().complete(new ShardsPrepared.Result(1));
        loop.runPending();

        assertThat(sent.getLast().shards()).containsExactly(shard(1), shard(2));
    }

    @Test
    void aCommandThatFailedKeepsNobodyFromTheNext() {
        ready(0);
        answers.getFirst().completeExceptionally(new IllegalStateException("no controller"));
        loop.runPending();
        assertThat(sent).hasSize(1);

        ready(0);

        assertThat(sent).hasSize(2);
    }
}
