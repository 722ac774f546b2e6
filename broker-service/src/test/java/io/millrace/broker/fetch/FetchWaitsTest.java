package io.millrace.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.fetch.FetchRead.Watched;
import io.millrace.broker.partition.ProgressDriver;
import org.junit.jupiter.api.Test;

class FetchWaitsTest {
    private static final Duration MAX_WAIT = Duration.ofMillis(500);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final FetchWaits waits = new FetchWaits(2);
    private final ProgressDriver partition = new ProgressDriver();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    /// What the partition has beyond the offset that is fetched.
    private long available;
    private long most = Long.MAX_VALUE;
    private boolean urgent;

    @Test
    void enoughBytesAreAnsweredAtOnce() {
        available = 100;

        assertThat(await(100)).isCompletedWithValueMatching(read -> read.bytes() == 100);
        assertThat(looks).hasValue(1);
    }

    @Test
    void errorIsAnsweredAtOnce() {
        urgent = true;

        assertThat(await(100)).isCompleted();
    }

    @Test
    void fetchThatMayNotWaitIsAnsweredWithWhatThereIs() {
        assertThat(waits.await(loop, 100, Duration.ZERO, this::look)).isCompleted();
    }

    @Test
    void fetchWakesWithTheBytesThatSufficeAndNotBefore() {
        var fetch = await(100);

        append(60);
        append(39);
        assertThat(fetch).isNotDone();
        assertThat(looks).as("no look before it is worth while").hasValue(1);

        append(1);
        assertThat(fetch).isCompletedWithValueMatching(read -> read.bytes() == 100);
        assertThat(looks).hasValue(2);
    }

    @Test
    void bytesThatWereThereAlreadyCount() {
        available = 70;
        var fetch = await(100);

        append(30);

        assertThat(fetch).isCompleted();
    }

    @Test
    void fetchIsAnsweredWithLessOnceItsTimeIsOver() {
        var fetch = await(100);
        append(10);

        loop.advance(MAX_WAIT.minusMillis(1));
        assertThat(fetch).isNotDone();
        loop.advance(Duration.ofMillis(1));

        assertThat(fetch).isCompletedWithValueMatching(read -> read.bytes() == 10);
    }

    @Test
    void partitionThatIsCappedDoesNotEndTheWaitEarly() {
        most = 50;
        var fetch = await(100);

        append(200);
        append(200);

        assertThat(fetch).isNotDone();
        loop.advance(MAX_WAIT);
        assertThat(fetch).isCompletedWithValueMatching(read -> read.bytes() == 50);
    }

    @Test
    void changeOfRoleIsAnsweredAtOnce() {
        var fetch = await(100);

        urgent = true;
        partition.changed();
        loop.runPending();

        assertThat(fetch).isCompletedWithValueMatching(FetchRead::urgent);
    }

    @Test
    void changeThatMeansNothingLeavesTheFetchWaiting() {
        var fetch = await(100);

        partition.changed();
        loop.runPending();
        append(100);

        assertThat(fetch).isCompleted();
    }

    @Test
    void appendBetweenLookAndListeningIsNotMissed() {
        var fetch = waits.await(loop, 100, MAX_WAIT, () -> {
            var read = look();
            if (looks.get() == 1) {
                available += 100;
                partition.advanced(100);
            }
            return read;
        });
        loop.runPending();

        assertThat(fetch).isCompletedWithValueMatching(read -> read.bytes() == 100);
    }

    @Test
    void cancelledFetchLooksNoMoreAndListensNoMore() {
        var fetch = await(100);
        fetch.cancel(false);

        append(100);
        loop.advance(MAX_WAIT);

        assertThat(looks).hasValue(1);
        assertThat(waits.count()).isZero();
    }

    @Test
    void everyLookButTheLastIsReleased() {
        most = 50;
        await(100);
        append(200);
        append(200);
        loop.advance(MAX_WAIT);

        assertThat(released).hasValue(looks.get() - 1);
    }

    @Test
    void oneFetchTooManyIsAnsweredAtOnce() {
        await(100);
        await(100);

        assertThat(await(100)).isCompletedWithValueMatching(read -> read.bytes() == 0);
        assertThat(waits.count()).isEqualTo(2);
    }

    @Test
    void lookThatFailsFailsTheFetch() {
        var fetch = waits.await(loop, 100, MAX_WAIT, () -> {
            if (looks.get() > 0) {
                throw new IllegalStateException("broken");
            }
            return look();
        });
        append(100);

        assertThat(fetch).isCompletedExceptionally();
        assertThat(waits.count()).isZero();
    }

    private CompletableFuture<FetchRead> await(int minBytes) {
        return waits.await(loop, minBytes, MAX_WAIT, this::look);
    }

    private FetchRead look() {
        looks.incrementAndGet();
        return new FetchRead(List.of(), Math.min(available, most), urgent, List.of(new Watched(partition.progress(),
                partition.progress().stamp())), released::incrementAndGet);
    }

    private void append(long bytes) {
        available += bytes;
        partition.advanced(bytes);
        loop.runPending();
    }
}
