package io.millrace.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

import io.millrace.base.check.Check;
import io.millrace.log.LogNames.Passing;
import io.millrace.log.batch.Batch;
import io.millrace.log.segment.LogSlice;

/// Moves one log to another directory of the same broker: a copy is made there piece by piece, as a follower makes one of its
/// leader's log, while the log is read and written as ever. When the copy is as long as the log, it takes its place.
///
/// A crash at any point leaves one valid log: see [InterruptedMoves]. For one thread at a time; every method blocks.
public final class LogMove {
    private static final int MOST_UNSYNCED = 64 << 20;

    private final PartitionId id;
    private final PartitionLog log;
    private final LogDirectory from;
    private final LogDirectory to;
    private final Passing name;
    private final OpenLog copy;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int truncations;
    private int unsynced;

    private LogMove(PartitionId id, PartitionLog log, LogDirectory from, LogDirectory to) throws IOException {
        this.id = id;
        this.log = log;
        this.from = from;
        this.to = to;
        this.name = new Passing(id, LogNames.newUniqueId(), true);
        this.copy = new OpenLog(to.path().resolve(name.name()), log.config(), to.runtime(), LogStart.of(
                LogCheckpoint.NONE, true), DirectoryFiles.NONE);
    }

    /// Makes an empty copy.
    ///
    /// @param log of `id`, which lies in `from`
    public static LogMove begin(PartitionId id, PartitionLog log, LogDirectory from, LogDirectory to)
            throws IOException {
        if (to.holds(id)) {
            throw new IOException("there is something named %s in %s already".formatted(id.directoryName(), to.path()));
        }
        var move = new LogMove(id, log, from, to);
        var topicId = log.topicId();
        if (topicId != null) {
            move.copy.assignTopicId(topicId);
        }
        return move;
    }

    public PartitionId id() {
        return id;
    }

    /// What is moved.
    public PartitionLog log() {
        return log;
    }

    /// Where it still lies.
    public LogDirectory from() {
        return from;
    }

    /// Where it will lie.
    public LogDirectory to() {
        return to;
    }

    /// Bytes of the copy.
    public long sizeBytes() {
        return copy.segments().sizeBytes();
    }

    /// How many offsets the copy is behind.
    public long lag() {
        return Math.max(0, log.logEndOffset() - copy.offsets().end());
    }

    /// Copies a piece.
    ///
    /// @param maxBytes about how much, but at least one batch
    /// @return bytes copied; 0 where the copy is as long as the log
    /// @throws io.millrace.log.batch.LogRefused where the log was cut meanwhile: the next call begins anew
    public int copy(int maxBytes) throws IOException {
        int bytes = copy(log.here(), maxBytes);
        unsynced += bytes;
        if (unsynced >= MOST_UNSYNCED) {
            copy.sync().flush();
            unsynced = 0;
        }
        return bytes;
    }

    private int copy(OpenLog source, int maxBytes) throws IOException {
        copy.gate().checkNotClosed();
        int cuts = source.offsets().truncations();
        long start = source.offsets().start();
        if (cuts != truncations || copy.offsets().end() < start) {
            copy.restartAt(start);
            truncations = cuts;
        }
        var slice = source.read(copy.offsets().end(), maxBytes, true, Long.MAX_VALUE).slice();
        if (slice == null) {
            return 0;
        }
        try (slice) {
            var batches = read(slice);
            long base = new Batch(batches, 0).baseOffset();
            if (base < copy.offsets().end()) {
                // The log starts inside of a batch, which comes whole.
                copy.restartAt(base);
            }
            copy.appendAsFollower(batches);
            return slice.size();
        }
    }

    private ByteBuffer read(LogSlice slice) throws IOException {
        if (buffer.capacity() < slice.size()) {
            buffer = ByteBuffer.allocate(slice.size());
        }
        buffer.clear().limit(slice.size());
        while (buffer.hasRemaining()) {
            if (slice.channel().read(buffer, slice.position() + buffer.position()) < 0) {
                throw new EOFException("%s ends inside of what it is said to hold".formatted(log.directory()));
            }
        }
        return buffer.flip();
    }

    /// Copies what is left and puts the copy in the log's place, with nobody writing meanwhile. Where that fails, the log stays
    /// where it was.
    public void finish() throws IOException {
        copy.sync().flush();
        log.goOnAs(this::complete);
        to.took(id, log);
        from.gave(id);
    }

    private OpenLog complete(OpenLog source) throws IOException {
        while (copy(source, MOST_UNSYNCED) > 0) {
            // until it is as long
        }
        Check.state(copy.offsets().end() == source.offsets().end(), "the copy of %s ends at %d, the log at %d", id, copy
                .offsets().end(), source.offsets().end());
        // What batches that are gone have left behind is in no copy of those that are there.
        copy.inherit(source);
        copy.close();
        long end = source.offsets().end();
        var checkpoint = new LogCheckpoint(end, source.offsets().start(), source.offsets().highWatermark());
        to.expect(id, checkpoint);
        return swap(source, checkpoint);
    }

    /// Each step is durable before the next.
    private OpenLog swap(OpenLog source, LogCheckpoint checkpoint) throws IOException {
        var disk = to.runtime().disk();
        var home = source.gate().directory();
        var away = from.path().resolve(name.replaced().name());
        var beside = to.path().resolve(name.name());
        var place = to.directoryOf(id);
        // Syncs that are still under way would look for their files in vain.
        source.gate().moved(away);
        copy.gate().moved(place);
        try {
            disk.rename(home, away);
            disk.syncDirectory(from.path());
            disk.rename(beside, place);
            disk.syncDirectory(to.path());
            var next = new OpenLog(place, source.config(), to.runtime(), LogStart.of(checkpoint, true), to);
            next.inherit(source);
            return next;
        } catch (IOException | RuntimeException failure) {
            takeBack(source, home, away, beside, place, failure);
            throw failure;
        }
    }

    private void takeBack(OpenLog source, Path home, Path away, Path beside, Path place, Exception failure)
            throws IOException {
        var disk = to.runtime().disk();
        try {
            if (disk.exists(place)) {
                disk.rename(place, beside);
            }
            if (disk.exists(away)) {
                disk.rename(away, home);
            }
            source.gate().moved(home);
        } catch (IOException lost) {
            source.gate().moved(home);
            lost.addSuppressed(failure);
            throw source.gate().report(lost);
        }
    }

    /// Gives the copy's files back, and leaves them: the next start begins anew.
    public void stop() {
        copy.abandon();
    }

    /// Deletes the copy.
    public void cancel() throws IOException {
        stop();
        copy.gate().moved(to.directoryOf(id));
        to.discard(name);
    }
}
