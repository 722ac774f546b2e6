package io.millrace.log.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.log.compaction.DirtyRange.Part;
import org.junit.jupiter.api.Test;

class DirtyRangeTest {
    private static final long NOW = 1_000_000;
    private static final CompactionRules RULES = new CompactionRules(true, 1000, 0.5, 0, Long.MAX_VALUE);
    private static final List<Part> CLOSED = List.of(new Part(0, 10, 100, NOW - 5000, NOW - 6000), new Part(10, 20, 100,
            NOW - 3000, NOW - 4000), new Part(20, 30, 100, NOW - 1000, NOW - 2000));

    private static DirtyRange range(long lastStable, long cleanedTo, CompactionRules rules) {
        return DirtyRange.of(CLOSED, 30, 0, 35, lastStable, cleanedTo, Long.MAX_VALUE, rules, NOW);
    }

    @Test
    void whatWasNeverCleanedIsDirtyUpToTheActiveSegment() {
        var range = range(35, 0, RULES);

        assertThat(range.start()).isZero();
        assertThat(range.end()).isEqualTo(30);
        assertThat(range.ratio()).isEqualTo(1.0);
        assertThat(range.isDue(RULES)).isTrue();
    }

    @Test
    void nothingAtOrPastTheLastStableOffsetIsTouched() {
        assertThat(range(25, 0, RULES).end()).isEqualTo(20);
        assertThat(range(20, 0, RULES).end()).isEqualTo(20);
        assertThat(range(9, 0, RULES).end()).isZero();
    }

    @Test
    void aLogIsDueWhereMoreThanTheSettingIsDirty() {
        assertThat(range(35, 10, RULES).isDue(RULES)).isTrue();
        assertThat(range(35, 20, RULES).ratio()).isEqualTo(1 / 3.0);
        assertThat(range(35, 20, RULES).isDue(RULES)).isFalse();
        assertThat(range(35, 30, new CompactionRules(true, 1000, 0, 0, Long.MAX_VALUE)).isDue(RULES)).isFalse();
    }

    @Test
    void segmentsWithARecordThatIsTooYoungStay() {
        var young = new CompactionRules(true, 1000, 0.5, 3500, Long.MAX_VALUE);

        assertThat(range(35, 0, young).end()).isEqualTo(10);
    }

    @Test
    void aRecordThatWaitsTooLongMakesTheLogDueWhateverTheRatio() {
        var impatient = new CompactionRules(true, 1000, 1.0, 0, 1500);

        assertThat(range(35, 20, impatient).overdueMs()).isEqualTo(500);
        assertThat(range(35, 20, impatient).isDue(impatient)).isTrue();
        assertThat(range(35, 30, impatient).isDue(impatient)).isFalse();
    }

    @Test
    void aLogWithoutAMaximumOfLagIsNeverOverdue() {
        var timeless = List.of(new DirtyRange.Part(0, 10, 100, -1, -1), new DirtyRange.Part(10, 20, 10, -1, -1));

        var range = DirtyRange.of(timeless, 20, 0, 20, 20, 10, Long.MAX_VALUE, RULES, 1_800_000_000_000L);

        assertThat(range.overdueMs()).isZero();
        assertThat(range.isDue(RULES)).isFalse();
    }

    @Test
    void aCheckpointOutsideOfTheLogSaysNothing() {
        assertThat(DirtyRange.of(CLOSED, 30, 10, 35, 35, 5, Long.MAX_VALUE, RULES, NOW).start()).isEqualTo(10);
        assertThat(range(35, 99, RULES).start()).isZero();
    }

    @Test
    void aDeleteHorizonThatIsPastMakesACleanLogDue() {
        assertThat(DirtyRange.of(CLOSED, 30, 0, 35, 35, 30, NOW, RULES, NOW).isDue(RULES)).isTrue();
        assertThat(DirtyRange.of(CLOSED, 30, 0, 35, 35, 30, NOW + 1, RULES, NOW).isDue(RULES)).isFalse();
    }
}
