package io.millrace.coordinator.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import org.junit.jupiter.api.Test;

class PendingOffsetsTest {
    private final PendingOffsets pending = new PendingOffsets();

    @Test
    void whatWasCommittedInATransactionBecomesRealWithItsCommitAndGoesWithItsAbort() {
        pending.put(1, put("g", 0, 10));
        pending.put(1, put("g", 1, 11));
        pending.put(2, put("h", 0, 12));
        assertThat(pending.has("g", "t", 0)).isTrue();
        assertThat(pending.groups()).containsExactlyInAnyOrder("g", "h");

        assertThat(pending.end(1, true)).containsExactly(put("g", 0, 10), put("g", 1, 11));
        assertThat(pending.end(2, false)).isEmpty();

        assertThat(pending.groups()).isEmpty();
        assertThat(pending.end(1, true)).as("a marker that is repeated").isEmpty();
    }

    @Test
    void theLastCommitOfATransactionCounts() {
        pending.put(1, put("g", 0, 10));
        pending.put(1, put("g", 0, 20));

        assertThat(pending.end(1, true)).containsExactly(put("g", 0, 20));
    }

    @Test
    void aLaterCommitOfNoTransactionOvertakesWhatIsPending() {
        pending.put(1, put("g", 0, 10));
        pending.put(1, put("g", 1, 11));

        pending.overtaken("g", "t", 0);

        assertThat(pending.has("g", "t", 0)).isFalse();
        assertThat(pending.end(1, true)).containsExactly(put("g", 1, 11));
    }

    @Test
    void ofTwoTransactionsTheOneThatWroteLastWinsWhicheverEndsFirst() {
        pending.put(1, put("g", 0, 10));
        pending.put(2, put("g", 0, 20));
        assertThat(pending.end(2, true)).containsExactly(put("g", 0, 20));
        assertThat(pending.end(1, true)).as("was written before").isEmpty();

        pending.put(1, put("g", 0, 30));
        pending.put(2, put("g", 0, 40));
        assertThat(pending.end(1, true)).containsExactly(put("g", 0, 30));
        assertThat(pending.has("g", "t", 0)).isTrue();
        assertThat(pending.end(2, true)).containsExactly(put("g", 0, 40));
    }

    private static OffsetPut put(String group, int partition, long offset) {
        return new OffsetPut(group, "t", partition, new CommittedOffset(offset, -1, "", 0, -1));
    }
}
