package io.millrace.broker.partition;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// How far one follower has come during one reign. **pure** but for its own state, which the leader's lock guards.
///
/// It is caught up at a moment at which it fetched from the leader's log end, or from what was the log end when it fetched
/// before: under load the end has moved on by the time that a fetch arrives. A follower at the log end whose fetches bring
/// no news is not looked at; that it was caught up until then is noted when the log end moves away from it.
final class FollowerProgress {
    /// Nothing was heard of it in this reign.
    static final long UNKNOWN = -1;

    private final int broker;
    private long brokerEpoch = UNKNOWN;
    private long logEndOffset = UNKNOWN;
    private long logStartOffset = UNKNOWN;
    private long caughtUpNanos;
    private boolean wasCaughtUp;
    private long leaderEndAtFetch;
    private long fetchNanos;
    private @Nullable FetchTimes times;

    /// @param leaderEnd log end offset of the leader at the start of its reign
    /// @param inSync whether it is in the ISR, so that it has the time of a lag to show itself
    FollowerProgress(int broker, long leaderEnd, boolean inSync, long nowNanos) {
        this.broker = broker;
        this.leaderEndAtFetch = leaderEnd;
        this.caughtUpNanos = nowNanos;
        this.wasCaughtUp = inSync;
        this.fetchNanos = nowNanos;
    }

    int broker() {
        return broker;
    }

    /// Under which it fetched; -1 where it did not say.
    long brokerEpoch() {
        return brokerEpoch;
    }

    /// -1 before its first fetch.
    long logEndOffset() {
        return logEndOffset;
    }

    /// It fetches from `fetch.offset()`, while the leader's log ends at `leaderEnd`.
    void fetched(FollowerFetch fetch, long leaderEnd, long nowNanos) {
        if (fetch.offset() >= leaderEnd) {
            caughtUp(nowNanos);
        } else if (fetch.offset() >= leaderEndAtFetch) {
            caughtUp(fetchNanos);
        }
        brokerEpoch = fetch.brokerEpoch();
        logEndOffset = fetch.offset();
        logStartOffset = fetch.logStartOffset();
        times = fetch.times();
        leaderEndAtFetch = leaderEnd;
        fetchNanos = nowNanos;
    }

    /// The leader's log is about to end elsewhere than at `leaderEnd`.
    void leaderMoves(long leaderEnd) {
        if (logEndOffset >= leaderEnd && times != null) {
            fetchNanos = times.lastNanos();
            leaderEndAtFetch = leaderEnd;
            caughtUp(fetchNanos);
        }
    }

    /// Whether it was caught up within `lag`, or is now.
    boolean isCaughtUp(long leaderEnd, long nowNanos, Duration lag) {
        return logEndOffset == leaderEnd || (wasCaughtUp && nowNanos - caughtUpNanos <= lag.toNanos());
    }

    /// Whether it can serve a reader of `offset`.
    boolean has(long offset) {
        return logStartOffset <= offset && offset <= logEndOffset;
    }

    /// Whether it has fetched within `lag`: one that stopped is not taken back for what it once had.
    boolean fetches(long nowNanos, Duration lag) {
        return times != null && nowNanos - times.lastNanos() <= lag.toNanos();
    }

    /// For people.
    ///
    /// @return how long ago it was caught up; null where it never was
    @Nullable
    Duration behind(long leaderEnd, long nowNanos) {
        if (logEndOffset >= leaderEnd && times != null) {
            return Duration.ofNanos(Math.max(0, nowNanos - times.lastNanos()));
        }
        return wasCaughtUp ? Duration.ofNanos(Math.max(0, nowNanos - caughtUpNanos)) : null;
    }

    private void caughtUp(long nanos) {
        if (!wasCaughtUp || nanos - caughtUpNanos > 0) {
            caughtUpNanos = nanos;
            wasCaughtUp = true;
        }
    }
}
