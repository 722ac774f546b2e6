package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rule by which a follower counts as caught up, against Kafka's as it stands there: that looks at every partition of
/// every fetch, ours only at those that moved.
class FollowerProgressTest {
    private static final Duration LAG = Duration.ofNanos(50);

    static LongStream seeds() {
        return Seeds.of(300);
    }

    /// Kafka's `Replica.updateFetchStateOrThrow`.
    private static final class Model {
        private long caughtUp;
        private long lastFetchLeaderEnd;
        private long lastFetch;
        private long end = -1;

        void fetched(long offset, long leaderEnd, long now) {
            if (offset >= leaderEnd) {
                caughtUp = Math.max(caughtUp, now);
            } else if (offset >= lastFetchLeaderEnd) {
                caughtUp = Math.max(caughtUp, lastFetch);
            }
            end = offset;
            lastFetchLeaderEnd = leaderEnd;
            lastFetch = now;
        }

        boolean isCaughtUp(long leaderEnd, long now) {
            return end == leaderEnd || now - caughtUp <= LAG.toNanos();
        }
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void followerIsCaughtUpExactlyWhenKafkaTakesItForSo(long seed) {
        var random = new Random(seed);
        var times = new FetchTimes(0);
        var progress = new FollowerProgress(2, 0, true, 0);
        var model = new Model();
        long now = 0;
        long leaderEnd = 0;
        long offset = 0;
        for (int step = 0; step < 400; step++) {
            now += random.nextInt(random.nextBoolean() ? 3 : 40);
            if (random.nextInt(3) == 0) {
                progress.leaderMoves(leaderEnd);
                leaderEnd += 1 + random.nextInt(5);
            } else {
                boolean silent = progress.logEndOffset() == leaderEnd && random.nextBoolean();
                if (!silent) {
                    offset = Math.min(leaderEnd, offset + random.nextInt(8));
                }
                times.fetched(now);
                model.fetched(offset, leaderEnd, now);
                // A session does not look at a partition of which the follower has all and says nothing.
                if (!silent) {
                    progress.fetched(new FollowerFetch(2, -1, offset, 0, 0, 0, times), leaderEnd, now);
                }
            }
            assertThat(progress.isCaughtUp(leaderEnd, now, LAG)).as("step %d", step).isEqualTo(model.isCaughtUp(
                    leaderEnd, now));
        }
    }
}
