package io.millrace.base.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    @ParameterizedTest
    @CsvSource({"0,100", "1,200", "2,400", "4,1600", "5,2000", "40,2000", "2147483647,2000"})
    void doublesUpToItsMostAndLosesAtMostAQuarter(int attempt, long mostMillis) {
        var random = new SplittableRandom(attempt);
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.delay(attempt, random).toMillis()).isBetween(mostMillis * 3 / 4, mostMillis);
        }
    }

    @Test
    void deadlineHasPassedOnlyWhenItsTimeIsOver() {
        long[] now = {Long.MAX_VALUE - 5};
        var deadline = Deadline.in(Duration.ofNanos(10), () -> now[0]);
        now[0] += 9;
        assertThat(deadline.passed()).isFalse();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofNanos(1));
        now[0] += 1;
        assertThat(deadline.passed()).isTrue();
    }
}
