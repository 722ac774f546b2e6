package io.millrace.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.millrace.base.loop.Ticker;
import org.junit.jupiter.api.Test;

class ServiceLifecycleTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    private Step step(String name) {
        return new Step(name, () -> done.add("+" + name), () -> done.add("-" + name));
    }

    private static ServiceLifecycle lifecycle(Step... steps) {
        return new ServiceLifecycle("test-0", List.of(steps), Ticker.SYSTEM);
    }

    @Test
    void stepsStartInOrderAndStopInReverse() {
        var lifecycle = lifecycle(step("a"), step("b"), step("c"));

        lifecycle.start();
        assertThat(lifecycle.isRunning()).isTrue();
        lifecycle.stop();

        assertThat(done).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
        assertThat(lifecycle.isRunning()).isFalse();
    }

    @Test
    void aStepThatFailsStopsWhatWasBegunAndNamesItself() {
        var lifecycle = lifecycle(step("a"), new Step("b", () -> {
            throw new IOException("no");
        }, () -> done.add("-b")), step("c"));

        assertThatThrownBy(lifecycle::start).isInstanceOf(StartRefused.class)
                .hasMessage("test-0 could not start: step b: java.io.IOException: no");

        assertThat(done).containsExactly("+a", "-b", "-a");
    }

    @Test
    void whatAStepRefusesIsSaidInItsOwnWords() {
        var lifecycle = lifecycle(new Step("a", () -> {
            throw new StartRefused("the port is taken");
        }, () -> {}));

        assertThatThrownBy(lifecycle::start).hasMessage("the port is taken");

        var waited = CompletableFuture.failedFuture(new StartRefused("the id is taken"));
        assertThatThrownBy(lifecycle(new Step("a", waited::get, () -> {}))::start).hasMessage("the id is taken");
    }

    @Test
    void aStepThatTakesTooLongIsNotWaitedFor() {
        var never = new CountDownLatch(1);
        var lifecycle = lifecycle(new Step("slow", never::await, () -> {}, Duration.ofMillis(50)));

        assertThatThrownBy(lifecycle::start).isInstanceOf(StartRefused.class).hasMessageContaining("slow")
                .hasMessageContaining("took longer");
    }

    @Test
    void aStopThatFailsOrHangsDoesNotKeepTheOthersFromStopping() {
        var never = new CountDownLatch(1);
        var lifecycle = lifecycle(step("a"), new Step("hangs", () -> {}, never::await, Duration.ofMillis(50)),
                new Step("fails", () -> {}, () -> {
                    throw new IOException("no");
                }));
        lifecycle.start();

        lifecycle.stop();

        assertThat(done).containsExactly("+a", "-a");
    }
}
