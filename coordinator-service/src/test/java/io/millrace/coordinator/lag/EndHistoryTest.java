package io.millrace.coordinator.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndHistoryTest {
    private static final PartitionName ORDERS = new PartitionName("orders", 0);

    private final EndHistory history = new EndHistory();

    private void ended(long atMillis, long end) {
        history.add(atMillis, Map.of(ORDERS, end));
    }

    @ParameterizedTest
    @CsvSource({"300, 0", "400, 0", "299, 10.1", "200, 20", "150, 25", "100, 30", "50, 35"})
    void theAgeOfTheNextRecordIsOnTheLineBetweenTwoRounds(long committed, double seconds) {
        ended(20_000, 100);
        ended(30_000, 200);
        ended(40_000, 300);

        assertThat(history.age(ORDERS, committed, 50_000)).hasValue(seconds);
    }

    @Test
    void aPartitionThatStandsStillTellsNothingOfWhatWasBefore() {
        ended(20_000, 100);
        ended(30_000, 100);

        assertThat(history.age(ORDERS, 50, 40_000)).isEmpty();
        assertThat(history.age(ORDERS, 100, 40_000)).hasValue(0);
    }

    @Test
    void aLagThatStaysGrowsOld() {
        ended(20_000, 100);
        ended(30_000, 200);
        ended(40_000, 200);

        assertThat(history.age(ORDERS, 100, 40_000)).hasValue(20);
        assertThat(history.age(ORDERS, 100, 60_000)).hasValue(40);
    }

    @Test
    void whatIsGoneOrMadeAnewIsForgotten() {
        ended(20_000, 100);
        ended(30_000, 200);
        ended(40_000, 5);
        assertThat(history.age(ORDERS, 2, 40_000)).isEmpty();

        history.add(50_000, Map.of());
        assertThat(history.age(ORDERS, 5, 50_000)).isEmpty();
    }

    @Test
    void anHourOfRoundsTakesNoMoreThanItsBound() {
        for (int round = 0; round < 240; round++) {
            ended(round * 15_000L, round);
        }

        assertThat(history.age(ORDERS, 239 - 59, 239 * 15_000L)).hasValue(59 * 15.0);
        assertThat(history.age(ORDERS, 0, 239 * 15_000L)).as("guessed").hasValue(239 * 15.0);
    }
}
