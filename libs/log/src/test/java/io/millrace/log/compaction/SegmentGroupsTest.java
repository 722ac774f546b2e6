package io.millrace.log.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.log.compaction.SegmentGroups.Part;
import org.junit.jupiter.api.Test;

class SegmentGroupsTest {
    @Test
    void neighboursGoTogetherUpToTheSizeOfASegment() {
        var parts = List.of(new Part(0, 9, 40, 8), new Part(10, 19, 40, 8), new Part(20, 29, 40, 8), new Part(30, 39,
                120,
                8), new Part(40, 49, 10, 8));

        assertThat(SegmentGroups.of(parts, 100, 100)).containsExactly(2, 1, 1, 1);
    }

    @Test
    void neighboursGoTogetherUpToTheSizeOfAnIndex() {
        var parts = List.of(new Part(0, 9, 1, 60), new Part(10, 19, 1, 60), new Part(20, 29, 1, 30));

        assertThat(SegmentGroups.of(parts, 100, 100)).containsExactly(1, 2);
    }

    @Test
    void offsetsThatAnIndexCannotTellApartNeverGoTogether() {
        long far = Integer.MAX_VALUE;
        assertThat(SegmentGroups.of(List.of(new Part(0, 9, 1, 0), new Part(far, far, 1, 0)), 100, 100)).containsExactly(
                2);
        assertThat(SegmentGroups.of(List.of(new Part(0, 9, 1, 0), new Part(far, far + 1, 1, 0)), 100, 100))
                .containsExactly(1, 1);
    }

    @Test
    void anEmptySegmentGoesWithAnyHoweverFar() {
        assertThat(SegmentGroups.of(List.of(new Part(0, 9, 1, 0), new Part(10, 1L << 40, 0, 0)), 100, 100))
                .containsExactly(2);
    }

    @Test
    void nothingMakesNoGroup() {
        assertThat(SegmentGroups.of(List.of(), 100, 100)).isEmpty();
    }
}
