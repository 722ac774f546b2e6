package io.millrace.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import org.junit.jupiter.api.Test;

class ProducerTurnsTest {
    private final SimulatedLoop loop = new SimulatedLoop();
    private final ProducerTurns turns = new ProducerTurns();
    private final List<String> begun = new ArrayList<>();

    private void take(long producer, String name) {
        turns.take(producer, loop, () -> begun.add(name));
    }

    @Test
    void requestsOfOneProducerComeOneAfterTheOtherAndOthersAreNotKept() {
        take(1, "first");
        take(1, "second");
        take(1, "third");
        take(2, "of another");
        assertThat(begun).containsExactly("first", "of another");

        turns.end(1);
        assertThat(begun).hasSize(2);
        loop.runPending();
        assertThat(begun).containsExactly("first", "of another", "second");

        turns.end(1);
        loop.runPending();
        assertThat(turns.isTaken(1)).isTrue();
        turns.end(1);
        loop.runPending();
        assertThat(begun).containsExactly("first", "of another", "second", "third");
        assertThat(turns.isTaken(1)).isFalse();
    }

    @Test
    void whoComesWhileTheNextOneHasYetToBeginWaitsForIt() {
        take(1, "first");
        take(1, "second");
        turns.end(1);
        assertThat(turns.isTaken(1)).isTrue();
        take(1, "third");
        loop.runPending();

        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void oneWhoseLoopHasEndedIsPassedOver() {
        take(1, "first");
        turns.take(1, new Ended(), () -> begun.add("never"));
        take(1, "third");

        turns.end(1);
        loop.runPending();

        assertThat(begun).containsExactly("first", "third");
    }

    private static final class Ended implements Loop {
        @Override
        public void execute(Runnable task) {
            throw new RejectedExecutionException("ended");
        }

        @Override
        public Timeout schedule(Duration delay, Runnable task) {
            throw new RejectedExecutionException("ended");
        }

        @Override
        public boolean inLoop() {
            return false;
        }
    }
}
