package io.millrace.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

import io.millrace.service.lifecycle.LivenessCheck.NamedLoop;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class LoopPulseTest {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private long nanos;
    private final LoopPulse pulse = new LoopPulse(new NamedLoop("loop", waiting::add), () -> nanos, Duration.ofSeconds(
            30));

    @Test
    void loopThatTurnsIsAlive() {
        for (int i = 0; i < 3; i++) {
            assertThat(pulse.stuck()).isEmpty();
            pass(20);
            waiting.remove().run();
        }
    }

    @Test
    void loopThatDoesNotTurnForTooLongIsStuckUntilItTurnsAgain() {
        assertThat(pulse.stuck()).isEmpty();
        pass(30);
        assertThat(pulse.stuck()).isEmpty();
        pass(1);
        assertThat(pulse.stuck()).contains("has not turned for 31 s");
        assertThat(waiting).as("one task at most is left with a loop that is stuck").hasSize(1);

        waiting.remove().run();
        assertThat(pulse.stuck()).isEmpty();
    }

    @Test
    void loopNobodyAskedAboutForLongIsNotBlamedForThat() {
        assertThat(pulse.stuck()).isEmpty();
        waiting.remove().run();
        pass(1_000);

        assertThat(pulse.stuck()).isEmpty();
    }

    @Test
    void closedLoopIsWell() {
        var closed = new LoopPulse(new NamedLoop("closed", _ -> {
            throw new RejectedExecutionException();
        }), () -> nanos, Duration.ofSeconds(30));

        assertThat(closed.stuck()).isEmpty();
        pass(60);
        assertThat(closed.stuck()).isEmpty();
    }

    @Test
    void oneStuckLoopTakesTheServiceDownAndIsNamed() {
        var well = new LoopPulse(new NamedLoop("well", Runnable::run), () -> nanos, Duration.ofSeconds(30));
        var health = new LoopsHealth(List.of(well, pulse));

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        pass(31);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsKey("loop").doesNotContainKey("well");
    }

    private void pass(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }
}
