package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HiddenBytesTest {

    @Test
    void withoutTransactionsAllThatIsReplicatedIsShown() {
        var hidden = new HiddenBytes(0);

        assertThat(hidden.shown(5, 5, 100)).isEqualTo(100);
        assertThat(hidden.shown(6, 6, 20)).isEqualTo(20);
    }

    @Test
    void whatATransactionHoldsBackIsShownWithItsEnd() {
        var hidden = new HiddenBytes(0);

        assertThat(hidden.shown(0, 5, 100)).isZero();
        assertThat(hidden.shown(0, 8, 60)).isZero();
        assertThat(hidden.shown(9, 9, 78)).isEqualTo(238);
    }

    @Test
    void whereAnotherTransactionBeginsInBetweenAShareIsShownAndTheRestLater() {
        var hidden = new HiddenBytes(0);

        assertThat(hidden.shown(5, 10, 100)).isEqualTo(50);
        assertThat(hidden.shown(10, 10, 0)).isEqualTo(50);
    }

    @Test
    void aLogThatWasCutBeginsAnew() {
        var hidden = new HiddenBytes(10);
        hidden.shown(10, 20, 1000);

        hidden.reset(4);

        assertThat(hidden.shown(5, 5, 30)).isEqualTo(30);
    }
}
