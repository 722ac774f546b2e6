package io.millrace.log.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final long NOW = 100_000;
    private static final RetentionRules FOR_EVER = new RetentionRules(true, -1, -1);
    private static final List<SegmentFacts> THREE = List.of(new SegmentFacts(10, 100, 1_000), new SegmentFacts(20, 100,
            Long.MAX_VALUE), new SegmentFacts(30, 100, 1_000));

    private static int deletable(RetentionRules rules, long start, long watermark) {
        return Retention.deletable(THREE, rules, NOW, start, watermark);
    }

    @Test
    void aFutureSegmentStaysAndKeepsThoseAfterIt() {
        assertThat(deletable(new RetentionRules(true, 2_000, -1), 0, 30)).isEqualTo(1);
    }

    @Test
    void sizeKeepsAtLeastWhatIsAskedFor() {
        assertThat(deletable(new RetentionRules(true, -1, 201), 0, 30)).isZero();
        assertThat(deletable(new RetentionRules(true, -1, 200), 0, 30)).isEqualTo(1);
        assertThat(deletable(new RetentionRules(true, -1, 0), 0, 30)).isEqualTo(3);
    }

    @Test
    void nothingAboveTheHighWatermarkGoes() {
        assertThat(deletable(new RetentionRules(true, -1, 0), 0, 19)).isEqualTo(1);
    }

    @Test
    void whatLiesBelowTheLogStartGoesUnderAnyPolicy() {
        var compacted = new RetentionRules(false, 0, 0);
        assertThat(deletable(compacted, 19, 30)).isEqualTo(1);
        assertThat(deletable(compacted, 30, 30)).isEqualTo(2);
        assertThat(deletable(FOR_EVER, 0, 30)).isZero();
    }

    @Test
    void anEmptyActiveSegmentNeverGoes() {
        var empty = List.of(new SegmentFacts(0, 0, 1));
        assertThat(Retention.deletable(empty, new RetentionRules(true, 0, 0), NOW, 0, 0)).isZero();
    }
}
