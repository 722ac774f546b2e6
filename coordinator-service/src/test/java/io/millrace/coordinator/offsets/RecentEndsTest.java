package io.millrace.coordinator.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentEndsTest {
    private final RecentEnds ends = new RecentEnds();

    @Test
    void aLeaveCountsUntilThatProducersTransactionEnds() {
        ends.ended(1);
        var leave = ends.leave();
        assertThat(ends.counts(leave, 1)).isTrue();

        ends.ended(2);
        assertThat(ends.counts(leave, 1)).isTrue();
        ends.ended(1);
        assertThat(ends.counts(leave, 1)).isFalse();
        assertThat(ends.counts(ends.leave(), 1)).isTrue();
    }

    @Test
    void aLeaveOfAnotherLifeOfTheShardDoesNotCount() {
        assertThat(new RecentEnds().counts(ends.leave(), 1)).isFalse();
    }

    @Test
    void whatIsNotKeptAnyMoreCountsAsEnded() {
        var old = ends.leave();
        for (int producer = 1; producer <= 10_001; producer++) {
            ends.ended(producer);
        }
        assertThat(ends.counts(old, 1)).isFalse();
        assertThat(ends.counts(ends.leave(), 1)).isTrue();
    }
}
