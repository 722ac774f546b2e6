package io.millrace.log.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochHistoryTest {
    private final EpochHistory history = EpochHistory.EMPTY.plus(2, 0).plus(4, 10).plus(5, 10).plus(7, 20);

    @Test
    void anEpochThatWroteNothingIsReplacedByTheNextOne() {
        assertThat(history.starts()).containsExactly(new EpochStart(2, 0), new EpochStart(5, 10), new EpochStart(7,
                20));
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "2,2,10", "3,2,10", "4,2,10", "5,5,20", "6,5,20", "7,7,30", "8,-1,-1", "-1,-1,-1"})
    void anEpochEndsWhereTheNextOneBegins(int asked, int epoch, long end) {
        assertThat(history.endOffsetFor(asked, 30)).isEqualTo(new EpochEndOffset(epoch, end));
    }

    @Test
    void nothingIsKnownWhereNobodyWrote() {
        assertThat(EpochHistory.EMPTY.endOffsetFor(0, 5)).isEqualTo(EpochEndOffset.UNDEFINED);
        assertThat(EpochHistory.EMPTY.latest()).isEmpty();
    }

    @Test
    void truncationDropsLaterEpochsAndDeletionMovesTheFirst() {
        assertThat(history.truncatedTo(20).latest()).hasValue(5);
        assertThat(history.startingAt(15).starts()).isEqualTo(List.of(new EpochStart(5, 15), new EpochStart(7, 20)));
        assertThat(history.startingAt(0)).isSameAs(history);
        assertThat(history.epochOf(19)).hasValue(5);
        assertThat(history.startingAt(15).epochOf(14)).isEmpty();
    }

    @Test
    void anOlderEpochThatGoesOnWritingKeepsItsBeginning() {
        assertThat(history.plus(9, 30).plus(7, 30)).isEqualTo(history);
        assertThat(history.plus(9, 30).plus(8, 30).starts()).endsWith(new EpochStart(7, 20), new EpochStart(8, 30));
    }

    @Test
    void aKnownOrNegativeEpochChangesNothing() {
        assertThat(history.plus(7, 25)).isSameAs(history);
        assertThat(history.plus(-1, 25)).isSameAs(history);
    }
}
