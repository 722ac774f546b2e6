package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AckQueueTest {
    private final Refused deposed = new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "deposed");

    private final AtomicLong highWatermark = new AtomicLong();
    private final AckQueue queue = new AckQueue(highWatermark::get);

    static LongStream seeds() {
        return Seeds.of(200);
    }

    @Test
    void highWatermarkEndsTheWaitsThatItPassedAndNoOthers() {
        var first = waitFor(9);
        var second = waitFor(10);

        highWatermark.set(10);
        queue.release(null);

        assertThat(first.succeeded()).isTrue();
        assertThat(second.times()).isZero();
    }

    @Test
    void batchThatIsReplicatedAlreadyDoesNotWait() {
        highWatermark.set(10);

        assertThat(waitFor(9).joined()).isFalse();
        assertThat(waitFor(10).joined()).isTrue();
    }

    @Test
    void endOfTheReignEndsAllWaitsAndRefusesThoseToCome() {
        var waiting = waitFor(9);

        queue.close(deposed);

        assertThat(waiting.error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThatThrownBy(() -> waitFor(10)).isEqualTo(deposed);
    }

    @Test
    void waitThatWasCalledOffIsNotTold() {
        var waiting = waitFor(9);

        assertThat(waiting.cancel()).isTrue();
        highWatermark.set(10);
        queue.release(null);

        assertThat(waiting.times()).isZero();
        assertThat(waiting.cancel()).as("a second time").isFalse();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyWaitEndsOnceAndWhenItShould(long seed) {
        var random = new Random(seed);
        var expected = new HashMap<Acked, Long>();
        var ended = new ArrayList<Acked>();
        for (int step = 0; step < 500; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    highWatermark.addAndGet(random.nextInt(5));
                    queue.release(null);
                }
                case 1 -> anyOf(expected, random).ifPresent(wait -> {
                    assertThat(wait.cancel()).isTrue();
                    expected.remove(wait);
                });
                default -> {
                    long offset = Math.max(0, highWatermark.get() - 2 + random.nextInt(12));
                    var wait = waitFor(offset);
                    assertThat(wait.joined()).isEqualTo(offset >= highWatermark.get());
                    if (wait.joined()) {
                        expected.put(wait, offset);
                    }
                }
            }
            expected.entrySet().removeIf(each -> each.getValue() < highWatermark.get() && ended.add(each.getKey()));
            assertThat(ended).allMatch(wait -> wait.times() == 1);
            assertThat(expected.keySet()).allMatch(wait -> wait.times() == 0);
        }
        queue.close(deposed);
        assertThat(expected.keySet()).allMatch(wait -> wait.times() == 1);
    }

    private static Optional<Acked> anyOf(Map<Acked, Long> waits, Random random) {
        List<Acked> sorted = waits.keySet().stream().sorted(Comparator.comparing(waits::get)).toList();
        return sorted.isEmpty()
                ? Optional.empty()
                : Optional.of(sorted.get(random.nextInt(sorted
                        .size())));
    }

    private Acked waitFor(long offset) {
        var wait = new Acked();
        queue.add(wait, offset);
        return wait;
    }
}
