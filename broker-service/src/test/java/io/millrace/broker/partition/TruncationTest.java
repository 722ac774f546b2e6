package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.epoch.EpochHistory;
import io.millrace.log.epoch.EpochStart;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TruncationTest {
    /// Epoch 1 from 0, epoch 3 from 10, epoch 6 from 20; the log ends at 30.
    private static final EpochHistory LOCAL = new EpochHistory(List.of(new EpochStart(1, 0), new EpochStart(3, 10),
            new EpochStart(6, 20)));
    private static final long END = 30;

    @ParameterizedTest(name = "leader says epoch {0} ends at {1}: cut to {2}, since {3}")
    @CsvSource({"6, 25, 25, the leader's epoch 6 ends earlier", //
            "6, 99, 30, nothing is there to be cut", //
            "3, 15, 15, the leader's epoch 3 ends earlier", //
            "3, 40, 20, the own epoch 3 ends earlier", //
            "5, 18, 20, epoch 5 is not known here and the one before ends there", //
            "2, 7, 10, epoch 2 is not known here and the one before ends there", //
            "0, 0, 0, all epochs here are newer than what the leader has", //
            "9, 28, 28, epoch 9 is newer than all known here", //
            "-1, 12, 12, the leader knows none of the epochs", //
            "-1, 40, 30, the leader knows none of the epochs and has more"})
    void followerCutsWhereTheHistoriesPart(int epoch, long leadersEnd, long cut, String reason) {
        assertThat(Truncation.offset(new EpochEndOffset(epoch, leadersEnd), asked -> LOCAL.endOffsetFor(asked, END),
                END)).as(reason).isEqualTo(cut);
    }
}
