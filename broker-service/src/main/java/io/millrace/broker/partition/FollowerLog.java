package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.millrace.log.AppendResult;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.Batch;
import io.millrace.log.epoch.EpochEndOffset;
import lombok.extern.slf4j.Slf4j;

/// What a follower does to its log. Called with the partition's lock held, so that the role stays what it is meanwhile.
@Slf4j
final class FollowerLog {
    private final PartitionLog partitionLog;

    /// @param raised whether the high watermark moved
    record Appended(AppendResult result, boolean raised) {}

    FollowerLog(PartitionLog partitionLog) {
        this.partitionLog = partitionLog;
    }

    /// @param batches as the leader sent them; none where only its offsets are news. Those that are here already, since the
    ///        leader was asked again while its answer was on its way, are left out
    Appended append(ByteBuffer batches, long leaderHighWatermark, long leaderLogStart) throws IOException {
        var missing = from(partitionLog.logEndOffset(), batches);
        beginInsideOfABatch(missing);
        var result = partitionLog.appendAsFollower(missing);
        long before = partitionLog.highWatermark();
        long after = partitionLog.updateHighWatermark(leaderHighWatermark);
        // What the leader deleted goes here too; not beyond what is known to be replicated, since that is nobody's to delete.
        long start = Math.min(leaderLogStart, after);
        if (start > partitionLog.logStartOffset()) {
            partitionLog.deleteRecordsBefore(start);
        }
        return new Appended(result, after > before);
    }

    private static ByteBuffer from(long offset, ByteBuffer batches) {
        var rest = batches.slice();
        while (rest.remaining() >= Batch.HEADER_BYTES) {
            var first = new Batch(rest, rest.position());
            int size = first.sizeBytes();
            if (first.lastOffset() >= offset || size < Batch.HEADER_BYTES || size > rest.remaining()) {
                break;
            }
            rest.position(rest.position() + size);
        }
        return rest;
    }

    /// Where the leader's log begins inside of a batch (DeleteRecords), so does an empty one here; the batch comes whole.
    private void beginInsideOfABatch(ByteBuffer batches) throws IOException {
        long end = partitionLog.logEndOffset();
        if (batches.remaining() < Batch.HEADER_BYTES || partitionLog.logStartOffset() < end) {
            return;
        }
        long base = new Batch(batches, batches.position()).baseOffset();
        if (base < end) {
            partitionLog.truncateFullyAndStartAt(base);
        }
    }

    /// Nothing that is replicated should ever have to go; where it does, acknowledged records are lost (an unclean election),
    /// and somebody must know.
    ///
    /// @return the log end offset then
    long truncateToDivergence(EpochEndOffset leaders) throws IOException {
        long offset = Truncation.offset(leaders, partitionLog::endOffsetFor, partitionLog.logEndOffset());
        long highWatermark = partitionLog.highWatermark();
        if (offset < highWatermark) {
            log.error("truncating below the high watermark: log={} offset={} highWatermark={} leadersEpoch={} "
                    + "leadersEnd={}", partitionLog.directory(), offset, highWatermark, leaders.epoch(), leaders
                            .endOffset());
        }
        partitionLog.truncateTo(offset);
        return partitionLog.logEndOffset();
    }

    /// @return the log end offset then
    long restartAt(long leaderLogStart) throws IOException {
        partitionLog.truncateFullyAndStartAt(leaderLogStart);
        return leaderLogStart;
    }
}
