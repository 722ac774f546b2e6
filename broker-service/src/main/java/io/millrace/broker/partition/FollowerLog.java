package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.millrace.log.AppendResult;
import io.millrace.log.PartitionLog;
import io.millrace.log.epoch.EpochEndOffset;

/// What a follower does to its log. Called with the partition's lock held, so that the role stays what it is meanwhile.
final class FollowerLog {
    private final PartitionLog log;

    /// @param raised whether the high watermark moved
    record Appended(AppendResult result, boolean raised) {}

    FollowerLog(PartitionLog log) {
        this.log = log;
    }

    /// @param batches as the leader sent them; none where only its offsets are news
    Appended append(ByteBuffer batches, long leaderHighWatermark, long leaderLogStart) throws IOException {
        var result = log.appendAsFollower(batches);
        long before = log.highWatermark();
        long after = log.updateHighWatermark(leaderHighWatermark);
        // What the leader deleted goes here too; not beyond what is known to be replicated, since that is nobody's to delete.
        long start = Math.min(leaderLogStart, after);
        if (start > log.logStartOffset()) {
            log.deleteRecordsBefore(start);
        }
        return new Appended(result, after > before);
    }

    /// @return the log end offset then
    long truncateToDivergence(EpochEndOffset leaders) throws IOException {
        long offset = Truncation.offset(leaders, log::endOffsetFor, log.logEndOffset());
        if (offset < log.logEndOffset()) {
            log.truncateTo(offset);
        }
        return log.logEndOffset();
    }

    /// @return the log end offset then
    long restartAt(long leaderLogStart) throws IOException {
        log.truncateFullyAndStartAt(leaderLogStart);
        return leaderLogStart;
    }
}
