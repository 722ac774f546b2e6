package io.millrace.coordinator.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentEndsTest {
    private final RecentEnds ends = new RecentEnds();

    @Test
    void aLeaveCountsUntilThatProducersTransactionEnds() {
        ends.ended(1, 4);
        var leave = ends.leave();
        assertThat(ends.counts(leave, 1, 4)).isTrue();

        ends.ended(2, 4);
        assertThat(ends.counts(leave, 1, 4)).isTrue();
        ends.ended(1, 4);
        assertThat(ends.counts(leave, 1, 4)).isFalse();
        assertThat(ends.counts(ends.leave(), 1, 4)).isTrue();
    }

    @Test
    void aLeaveOfAnotherLifeOfTheShardDoesNotCount() {
        assertThat(new RecentEnds().counts(ends.leave(), 1, 4)).isFalse();
    }

    @Test
    void whatIsNotKeptAnyMoreCountsAsEnded() {
        var old = ends.leave();
        for (int producer = 1; producer <= 10_001; producer++) {
            ends.ended(producer, 4);
        }
        assertThat(ends.counts(old, 1, 4)).isFalse();
        assertThat(ends.counts(ends.leave(), 1, 4)).isTrue();
    }

    @Test
    void theWordOfACoordinatorThatWasDeposedBeforeTheEndDoesNotCount() {
        ends.ended(1, 4);

        assertThat(ends.counts(ends.leave(), 1, 3)).isFalse();
        assertThat(ends.counts(ends.leave(), 1, 5)).isTrue();
        assertThat(ends.counts(ends.leave(), 2, 3)).as("another producer").isTrue();
    }
}
