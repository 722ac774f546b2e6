package io.millrace.broker.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Which replicas a leader thinks are in sync. **pure**
final class IsrDecision {
    private IsrDecision() {}

    /// What a leader knows of a follower when it decides.
    ///
    /// @param logEndOffset -1 where it has not fetched in this reign
    /// @param caughtUp whether it was within `replica.lag.time.max.ms`, or is now
    /// @param eligible whether it fetches and the metadata know it, in this life, as alive and not about to stop
    record Candidate(int broker, long logEndOffset, boolean caughtUp, boolean eligible) {}

    /// The ISR to propose: those who fell behind go, and whoever has all that is replicated and was written before this
    /// reign comes in, at the end.
    ///
    /// @param isr in force, this broker among them
    /// @param followers all other replicas
    /// @param highWatermark a replica joins only with all that consumers may have seen
    /// @param reignStart log end offset of the leader when it became one: below may lie what only it has
    /// @param mayShrink whether it is the time to look for those who fell behind
    /// @return the same as `isr` where nothing is to change
    static List<Integer> next(List<Integer> isr, List<Candidate> followers, long highWatermark, long reignStart,
            boolean mayShrink) {
        var next = new ArrayList<>(isr);
        for (var follower : followers) {
            if (isr.contains(follower.broker())) {
                if (mayShrink && !follower.caughtUp()) {
                    next.removeIf(broker -> broker == follower.broker());
                }
            } else if (follower.eligible() && follower.logEndOffset() >= Math.max(highWatermark, reignStart)) {
                next.add(follower.broker());
            }
        }
        return next.equals(isr) ? isr : next;
    }

    /// The least log end of all that have to have a record before it counts as replicated: the largest ISR that may be in
    /// force, and whoever is about to join it, since it would never catch up with a high watermark that runs ahead of it.
    ///
    /// @param mustHave whether that broker may be in the ISR now
    /// @param leaderEnd log end offset of the leader
    /// @return -1 where one of them has not fetched in this reign
    static long replicatedUpTo(Predicate<Integer> mustHave, List<Candidate> followers, long leaderEnd) {
        long least = leaderEnd;
        for (var follower : followers) {
            if (follower.logEndOffset() < least
                    && (mustHave.test(follower.broker()) || (follower.caughtUp() && follower.eligible()))) {
                least = follower.logEndOffset();
            }
        }
        return least;
    }
}
