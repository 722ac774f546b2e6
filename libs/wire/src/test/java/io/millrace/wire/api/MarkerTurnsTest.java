package io.millrace.wire.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;

import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.junit.jupiter.api.Test;

class MarkerTurnsTest {
    private final MarkerTurns turns = new MarkerTurns();

    private boolean runs(int coordinator, long registration, long number) {
        var ran = new boolean[1];
        boolean told = turns.run(Optional.of(new MarkerStamp(coordinator, registration, number)), () -> ran[0] = true);
        assertThat(ran[0]).isEqualTo(told);
        return told;
    }

    @Test
    void whatComesBehindANewerRequestOfItsCoordinatorIsLate() {
        assertThat(runs(1000, 5, 1)).isTrue();
        assertThat(runs(1000, 5, 3)).isTrue();

        assertThat(runs(1000, 5, 2)).isFalse();
        assertThat(runs(1001, 5, 2)).as("of another coordinator").isTrue();
        assertThat(runs(1000, 5, 3)).as("another part of the same request").isTrue();
    }

    @Test
    void aProcessThatTookAnothersPlaceIsNewerWhateverItsNumbers() {
        assertThat(runs(1000, 5, 100)).isTrue();
        assertThat(runs(1000, 6, 1)).isTrue();

        assertThat(runs(1000, 5, 101)).isFalse();
    }

    @Test
    void nothingOvertakesWhatIsBeingWritten() {
        var second = new boolean[1];
        turns.run(Optional.of(new MarkerStamp(1000, 5, 1)), () -> second[0] = runs(1000, 5, 2));

        assertThat(second[0]).as("while the first one is written").isFalse();
        assertThat(runs(1000, 5, 2)).as("when it is sent again").isTrue();
    }

    @Test
    void idsThatAreMadeUpTakeNoRoomForEverAndDriveOutNobodyWhoIsAtWork() {
        assertThat(runs(1000, 5, 1)).isTrue();
        assertThat(runs(1001, 5, 2)).isTrue();
        for (int i = 0; i < 5_000; i++) {
            assertThat(runs(2_000 + i, 1, 1)).isTrue();
            assertThat(runs(1001, 5, 2)).isTrue();
        }

        assertThat(runs(1001, 5, 1)).as("of one at work").isFalse();
        assertThat(runs(1000, 5, 0)).as("of one that was silent for long").isTrue();
    }

    @Test
    void oneThatFailsIsOver() {
        var stamp = Optional.of(new MarkerStamp(1000, 5, 1));
        assertThatThrownBy(() -> turns.run(stamp, () -> {
            throw new IllegalStateException("planted");
        })).hasMessage("planted");

        assertThat(runs(1000, 5, 2)).isTrue();
    }

    @Test
    void whatHasNoStampIsTaken() {
        assertThat(runs(1000, 5, 1)).isTrue();
        assertThat(turns.run(Optional.empty(), () -> {})).isTrue();
    }

    @Test
    void aStampTravelsWithItsRequest() {
        var request = new WriteTxnMarkersRequestData();
        assertThat(MarkerStamp.of(request)).isEmpty();
        new MarkerStamp(1, 2, 3).mark(request);
        new MarkerStamp(1000, 1L << 40, 7).mark(request);

        var bytes = MessageUtil.toByteBufferAccessor(request, (short) 1);
        var read = new WriteTxnMarkersRequestData(new ByteBufferAccessor(bytes.buffer()), (short) 1);

        assertThat(MarkerStamp.of(read)).hasValue(new MarkerStamp(1000, 1L << 40, 7));
    }
}
