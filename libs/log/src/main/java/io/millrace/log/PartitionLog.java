package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.compaction.Compactable;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.producer.ProducerSummary;
import io.millrace.log.producer.TransactionLeave;
import io.millrace.log.producer.TransactionTerms;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// The log of one partition, in a directory of its own, in Kafka's format. It stays the same log while it moves to another
/// directory.
///
/// Any thread may call any method. What changes the log goes through its gate, whose lock is never held over an fsync that a
/// client waits for; reads take no lock. A failure of the disk is reported to the runtime's listener and thrown;
/// the log then refuses every change.
@Slf4j
public final class PartitionLog implements AutoCloseable {
    private volatile OpenLog here;

    /// What is asked of the log where it lies.
    @FunctionalInterface
    private interface Use<R extends @Nullable Object> {
        R of(OpenLog log) throws IOException;
    }

    /// The same without a failure, under the log's lock.
    @FunctionalInterface
    private interface Ask<R extends @Nullable Object> {
        R of(OpenLog log);
    }

    private PartitionLog(OpenLog here) {
        this.here = here;
    }

    /// Opens the log in `directory`, which is created where it is missing, and repairs what a crash has left: after an
    /// unclean stop everything past the recovery point is checked, and the log is cut at the first batch that is not whole.
    ///
    /// @param cleanShutdown whether the directory was closed in order, so that nothing has to be scanned
    public static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown) throws IOException {
        return open(directory, config, runtime, LogStart.of(checkpoint, cleanShutdown), DirectoryFiles.NONE);
    }

    /// The same.
    ///
    /// @param files of the log directory that it lies in
    static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogStart start,
            DirectoryFiles files) throws IOException {
        return new PartitionLog(new OpenLog(directory, config, runtime, start, files));
    }

    /// Where it is closed because it goes on elsewhere, it is asked there.
    private <R extends @Nullable Object> R use(Use<R> use) throws IOException {
        while (true) {
            var now = here;
            try {
                return use.of(now);
            } catch (ClosedLogException closed) {
                if (now == here) {
                    throw closed;
                }
            }
        }
    }

    /// Where it lies now.
    OpenLog here() {
        return here;
    }

    /// Makes of what is open where the log lies what is open where it lies from now on.
    @FunctionalInterface
    interface Successor {
        /// Called under the locks of `now`, which is as it was where this fails.
        OpenLog of(OpenLog now) throws IOException;
    }

    /// Goes on elsewhere, with nobody writing meanwhile. What still reads where it was ends well.
    void goOnAs(Successor successor) throws IOException {
        var next = here.handOver(now -> {
            var opened = successor.of(now);
            here = opened;
            return opened;
        });
        next.commits().told();
    }

    /// What was done to a place that the log has just left is done again where it is now.
    private <R extends @Nullable Object> R ask(Ask<R> ask) {
        while (true) {
            var now = here;
            var answer = now.gate().look(() -> ask.of(now));
            if (now == here) {
                return answer;
            }
        }
    }

    /// Appends what a client or coordinator sent to the leader of this partition.
    ///
    /// @param records whole v2 batches (exactly one of a client), from position to limit; offsets, leader epoch and, where
    ///        the topic wants it, LogAppendTime are set in place. Not kept
    /// @throws io.millrace.log.batch.LogRefused with Kafka's code; nothing was appended
    /// @throws IOException the disk failed, and whether the records will be there after a restart is not known
    public AppendResult append(ByteBuffer records, int leaderEpoch, AppendOrigin origin) throws IOException {
        return append(records, leaderEpoch, origin, TransactionTerms.FREE);
    }

    /// The same.
    ///
    /// @param terms what it may do to the transaction of its producer
    public AppendResult append(ByteBuffer records, int leaderEpoch, AppendOrigin origin, TransactionTerms terms)
            throws IOException {
        return use(log -> log.append(log.check(records, origin), leaderEpoch, terms));
    }

    /// Whether to check a batch means to decompress or to compress it, which is not for an event loop to do.
    public boolean checksLong(Batch batch) {
        return here.checksLong(batch);
    }

    /// Checks what a client or coordinator sent, and writes it anew where the topic wants another codec. Any thread; takes
    /// no lock.
    ///
    /// @param records whole v2 batches (exactly one of a client), from position to limit; changed in place, and kept
    /// @throws io.millrace.log.batch.LogRefused with Kafka's code
    public CheckedBatches check(ByteBuffer records, AppendOrigin origin) {
        return here.check(records, origin);
    }

    /// Appends what [#check] found good.
    ///
    /// @throws io.millrace.log.batch.LogRefused with Kafka's code; nothing was appended
    /// @throws IOException the disk failed, and whether the records will be there after a restart is not known
    public AppendResult append(CheckedBatches checked, int leaderEpoch, TransactionTerms terms) throws IOException {
        return use(log -> log.append(checked, leaderEpoch, terms));
    }

    /// To be taken before the coordinator is asked whether a transaction has this partition, and given to the append with
    /// [TransactionTerms.Verified].
    ///
    /// @param sequence of the first record that is to be appended; 0 where each transaction begins with that
    /// @return null where that producer has its transaction open here, so that nobody needs to be asked
    public @Nullable TransactionLeave leave(long producerId, short producerEpoch, int sequence) {
        return ask(log -> log.writer().producers().leave(producerId, producerEpoch, sequence, log.runtime().clock()
                .millis()));
    }

    /// Where the coordinator refused the producer or the epoch for which that was taken.
    public void withdraw(long producerId, TransactionLeave leave) {
        ask(log -> {
            log.writer().producers().withdraw(producerId, leave);
            return leave;
        });
    }

    /// Appends what a follower got from its leader, with the offsets and epochs that are in it.
    ///
    /// @param records whole batches that begin at the log end offset or after it; a cut one at the end is left out
    /// @throws io.millrace.log.batch.LogRefused CORRUPT_MESSAGE or OFFSET_OUT_OF_RANGE
    public AppendResult appendAsFollower(ByteBuffer records) throws IOException {
        return use(log -> log.appendAsFollower(records));
    }

    /// Finds batches from the one that holds `offset`, or the next one after a gap.
    ///
    /// @param maxBytes upper bound of the slice, but see `atLeastOneBatch`
    /// @param atLeastOneBatch whether the first batch is given whole even where it is larger
    /// @param upperBoundOffset no batch that begins at or after it is given: high watermark, last stable or log end offset
    /// @throws io.millrace.log.batch.LogRefused OFFSET_OUT_OF_RANGE below the log start or above the log end offset
    public ReadResult read(long offset, int maxBytes, boolean atLeastOneBatch, long upperBoundOffset)
            throws IOException {
        return use(log -> log.read(offset, maxBytes, atLeastOneBatch, upperBoundOffset));
    }

    /// Finds batches below the last stable offset, as [#read] does, and the aborted transactions among them.
    public ReadResult readCommitted(long offset, int maxBytes, boolean atLeastOneBatch) throws IOException {
        return use(log -> log.readCommitted(offset, maxBytes, atLeastOneBatch));
    }

    /// First offset that may be read.
    public long logStartOffset() {
        return here.offsets().start();
    }

    /// Offset of the next record.
    public long logEndOffset() {
        return here.offsets().end();
    }

    /// Where what counts as written here ends: the log end offset, or with group commit the end of what is synced.
    public long durableEnd() {
        return here.durableEnd();
    }

    /// Whether acks have to wait for [#durableEnd].
    public boolean commitsInGroups() {
        return here.runtime().groupCommit();
    }

    /// With group commit, `committed` is run whenever [#durableEnd] may have moved; on a background thread, with no lock held.
    public void onCommit(Runnable committed) {
        ask(log -> {
            log.commits().onCommit(committed);
            return log;
        });
    }

    /// Offsets below were replicated; never goes back but by truncation.
    public long highWatermark() {
        return here.offsets().highWatermark();
    }

    /// Raises the high watermark, at most to the log end offset; a lower value changes nothing. Returns what it is now.
    public long updateHighWatermark(long offset) {
        if (offset <= highWatermark()) {
            return highWatermark();
        }
        return ask(log -> log.writer().raiseHighWatermark(offset));
    }

    /// Offsets below belong to no open transaction, nor to one whose marker may yet get lost, and are below the high watermark.
    public long lastStableOffset() {
        return here.offsets().lastStable();
    }

    /// The first record whose time is not before `timestamp`, from the log start offset on.
    public Optional<TimestampAndOffset> offsetForTimestamp(long timestamp) throws IOException {
        return use(log -> log.offsetForTimestamp(timestamp));
    }

    /// The (first) record with the largest time; empty in an empty log.
    public Optional<TimestampAndOffset> maxTimestamp() throws IOException {
        return use(OpenLog::maxTimestamp);
    }

    /// The newest leader epoch that has written here.
    public OptionalInt latestEpoch() {
        return here.writer().epochs().latest();
    }

    /// The leader epoch that wrote `offset`; empty where it is not known.
    public OptionalInt epochOf(long offset) {
        return here.writer().epochs().epochOf(offset);
    }

    /// A leader begins its reign here: what it appends begins at the log end offset, and whoever asks where an older epoch
    /// ends is told so before it has appended anything.
    public void beginEpoch(int leaderEpoch) throws IOException {
        use(log -> log.beginEpoch(leaderEpoch));
    }

    /// Where `epoch` ends here (OffsetForLeaderEpoch).
    public EpochEndOffset endOffsetFor(int epoch) {
        var now = here;
        return now.writer().epochs().endOffsetFor(epoch, now.offsets().end());
    }

    /// Makes `offset` the log start offset, where it is higher; segments that lie below it are deleted in time.
    ///
    /// @throws io.millrace.log.batch.LogRefused OFFSET_OUT_OF_RANGE above the high watermark
    public void deleteRecordsBefore(long offset) throws IOException {
        use(log -> log.deleteRecordsBefore(offset));
    }

    /// Cuts off every batch that reaches `offset` or beyond. Blocks: never call it on an event loop.
    public void truncateTo(long offset) throws IOException {
        long end = use(log -> log.truncateTo(offset));
        log.info("truncated: directory={} logEndOffset={}", directory(), end);
    }

    /// Throws everything away; the log goes on, empty, at `offset`. For a follower whose leader begins later. Blocks: never
    /// call it on an event loop.
    public void truncateFullyAndStartAt(long offset) throws IOException {
        long end = use(log -> log.restartAt(offset));
        log.info("started anew: directory={} logEndOffset={}", directory(), end);
    }

    /// Closes the active segment and opens the next one, unless it is empty.
    public void roll() throws IOException {
        use(OpenLog::roll);
    }

    /// Makes everything appended durable before it returns. Blocks: never call it on an event loop.
    public void flush() throws IOException {
        here.sync().flush();
    }

    /// Does [#flush] where records have waited longer than `flush.ms`. Blocks.
    public void flushIfDue() throws IOException {
        here.sync().flushIfDue();
    }

    /// The log as the cleaner sees it, where it lies now.
    public Compactable compaction() {
        return here.compaction();
    }

    LogCompaction.Progress compactionProgress() {
        return here.compaction().progress();
    }

    /// Deletes segments that are too old, too many, or below the log start offset; returns how many. Their files go after
    /// `file.delete.delay.ms`. To be called now and then; not on an event loop.
    public int deleteOldSegments() throws IOException {
        int count = use(OpenLog::deleteOldSegments);
        if (count > 0) {
            here.runtime().metrics().deleted(count);
            log.info("deleted segments: directory={} count={} logStartOffset={}", directory(), count, logStartOffset());
        }
        return count;
    }

    /// Forgets producers that have been silent too long; returns how many.
    public int expireProducers() {
        return here.expireProducers();
    }

    /// Bytes in all segments.
    public long sizeBytes() {
        return here.segments().sizeBytes();
    }

    public int segmentCount() {
        return here.segments().count();
    }

    /// Everything below is durable.
    public long recoveryPoint() {
        return here.offsets().recoveryPoint();
    }

    /// What the checkpoint files should say of this log now.
    public LogCheckpoint checkpoint() {
        return here.checkpoint();
    }

    /// Producers that are remembered, by id.
    public List<ProducerSummary> activeProducers() {
        return ask(log -> log.writer().producers().summaries());
    }

    /// Of the `partition.metadata` file; null where there is none yet.
    public @Nullable UUID topicId() {
        return here.topicId();
    }

    /// Writes the `partition.metadata` file.
    ///
    /// @throws IllegalStateException where the log belongs to another topic id
    public void assignTopicId(UUID topicId) throws IOException {
        use(log -> log.assignTopicId(topicId));
    }

    public LogConfig config() {
        return here.config();
    }

    /// Takes effect from the next call on.
    public void updateConfig(LogConfig config) {
        ask(log -> {
            log.config(config);
            return log;
        });
    }

    /// Where the files are; another path once the log was moved or deleted.
    public Path directory() {
        return here.gate().directory();
    }

    /// Whether its disk has failed, so that what it holds after a restart is not sure and it takes no changes.
    public boolean hasFailed() {
        return here.gate().hasFailed();
    }

    /// Takes the log out of use: its directory is renamed to `<topic>-<partition>.<id>-delete`, and removed after
    /// `file.delete.delay.ms`. Slices in flight keep their bytes.
    public void delete() throws IOException {
        use(OpenLog::delete);
    }

    /// Trims the files, makes everything durable and leaves a producer snapshot, so that the next start scans nothing.
    /// Harmless when repeated. Blocks.
    @Override
    public void close() throws IOException {
        here.close();
    }
}
