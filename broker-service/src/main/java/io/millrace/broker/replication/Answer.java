package io.millrace.broker.replication;

import io.millrace.log.epoch.EpochEndOffset;
import org.apache.kafka.common.protocol.Errors;

/// What a leader's answer for one partition came to.
sealed interface Answer {
    /// Taken over.
    ///
    /// @param bytes appended; 0 where only offsets were news
    /// @param moved whether the next request has something else to say of this partition
    record Taken(int bytes, boolean moved) implements Answer {}

    /// The histories part.
    ///
    /// @param leaders where the follower's last epoch ends at the leader
    record Diverged(EpochEndOffset leaders) implements Answer {}

    /// The leader has nothing at the offset asked for, and begins at `leaderLogStart`; -1 where it does not say.
    record OutOfRange(long leaderLogStart) implements Answer {}

    /// Not now: the leader, or the partition's role here, has to change first.
    record Refused(Errors error, String reason) implements Answer {}

    /// The own log takes nothing any more.
    record StorageFailed(String reason) implements Answer {}
}
