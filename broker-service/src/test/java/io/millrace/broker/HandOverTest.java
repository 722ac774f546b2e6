package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import org.junit.jupiter.api.Test;

class HandOverTest {
    private static final CompletableFuture<ControlledShutdown.Result> UNREACHABLE = CompletableFuture.failedFuture(
            new IllegalStateException("no controller"));

    private final Answers controller = new Answers();

    private boolean run(boolean enabled, int retries, Duration answerWait) throws InterruptedException {
        return new HandOver(3, new HandOver.Rules(enabled, retries, Duration.ofMillis(1), answerWait), controller,
                () -> 77, Ticker.SYSTEM).run();
    }

    private static CompletableFuture<ControlledShutdown.Result> remaining(int count) {
        return CompletableFuture.completedFuture(new ControlledShutdown.Result(count));
    }

    @Test
    void whatNobodyCanTakeYetIsAskedForAgain() throws Exception {
        controller.answers.addAll(List.of(remaining(5), UNREACHABLE, remaining(0)));

        assertThat(run(true, 3, Duration.ofSeconds(10))).isTrue();
        assertThat(controller.asked).isEqualTo(3);
    }

    @Test
    void theBrokerStopsThoughNobodyTakesTheRest() throws Exception {
        controller.answers.addAll(List.of(remaining(5), remaining(5), remaining(5)));

        assertThat(run(true, 2, Duration.ofSeconds(10))).isFalse();
        assertThat(controller.asked).isEqualTo(3);
    }

    @Test
    void aControllerThatNeverAnswersKeepsNobody() throws Exception {
        controller.answers.addAll(List.of(new CompletableFuture<>(), new CompletableFuture<>()));

        assertThat(run(true, 1, Duration.ofMillis(20))).isFalse();
        assertThat(controller.asked).isEqualTo(2);
    }

    @Test
    void nothingIsHandedOverWhereThatIsNotWanted() throws Exception {
        assertThat(run(false, 3, Duration.ofSeconds(10))).isFalse();
        assertThat(controller.asked).isZero();
    }

    private static final class Answers implements ControllerClient {
        private final Queue<CompletableFuture<ControlledShutdown.Result>> answers = new ArrayDeque<>();
        private int asked;

        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            assertThat(command).isInstanceOfSatisfying(ControlledShutdown.class, asking -> assertThat(asking
                    .nodeEpoch())
                    .isEqualTo(77));
            asked++;
            return answers.remove().thenApply(command.resultType()::cast);
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
