package io.millrace.broker.partition;

import java.util.function.IntFunction;

import io.millrace.log.epoch.EpochEndOffset;

/// Where a follower cuts its log so that it goes on as its leader's does (KIP-101, KIP-279). **pure**
final class Truncation {
    private Truncation() {}

    /// The follower may have to ask once more: where it does not know the epoch that the leader named, it cuts to the end
    /// of the newest epoch before, and the next fetch finds the next difference.
    ///
    /// @param leaders where the leader says that the follower's last epoch ends; epoch -1 where it knows none of them
    /// @param localEnds where an epoch ends in the follower's log: the largest known that is not above it
    /// @param logEndOffset of the follower
    /// @return the offset to cut to, at most `logEndOffset`
    static long offset(EpochEndOffset leaders, IntFunction<EpochEndOffset> localEnds, long logEndOffset) {
        long leadersEnd = Math.min(leaders.endOffset(), logEndOffset);
        if (leaders.epoch() < 0) {
            return leadersEnd;
        }
        var local = localEnds.apply(leaders.epoch());
        if (local.epoch() < 0) {
            return leadersEnd;
        }
        long localEnd = Math.min(local.endOffset(), logEndOffset);
        return local.epoch() == leaders.epoch() ? Math.min(localEnd, leadersEnd) : localEnd;
    }
}
