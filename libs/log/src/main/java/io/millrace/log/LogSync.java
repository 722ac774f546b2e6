package io.millrace.log;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.log.epoch.EpochCheckpoint;
import io.millrace.log.epoch.EpochHistory;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;
import org.jspecify.annotations.Nullable;

/// Makes one log durable, and knows when that is due. Any thread may call what blocks, none that must not.
final class LogSync {
    private final LogContext context;
    private final LogGate gate;
    private final Segments segments;
    private final LogOffsets offsets;
    private final LogWriter writer;
    private final LogIdentity identity;
    /// Its monitor is held while it is written: of two syncs at once, the later one writes what the earlier one knew and more.
    private final EpochCheckpoint epochCheckpoint;
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile long dirtySinceNanos;
    /// What the file says of epochs; null where that is not known. Guarded by its monitor as well.
    private @Nullable EpochHistory writtenEpochs;

    /// @param writtenEpochs what the file says of epochs; null where it is to be written
    LogSync(LogContext context, LogGate gate, Segments segments, LogOffsets offsets, LogWriter writer,
            LogIdentity identity, @Nullable EpochHistory writtenEpochs) {
        this.writtenEpochs = writtenEpochs;
        this.context = context;
        this.gate = gate;
        this.segments = segments;
        this.offsets = offsets;
        this.writer = writer;
        this.identity = identity;
        this.epochCheckpoint = new EpochCheckpoint(context.runtime().disk(), context.directory().resolve(
                EpochCheckpoint.FILE_NAME));
    }

    /// Before each change, under the lock.
    void changing() {
        if (offsets.end() == offsets.recoveryPoint()) {
            dirtySinceNanos = context.runtime().ticker().nanos();
        }
    }

    void flush() throws IOException {
        var ticker = context.runtime().ticker();
        long started = ticker.nanos();
        long target = offsets.end();
        if (target > offsets.recoveryPoint()) {
            upTo(target);
            context.runtime().metrics().flushed(ticker.since(started));
        }
    }

    void flushIfDue() throws IOException {
        long dirtySince = dirtySinceNanos;
        if (offsets.end() > offsets.recoveryPoint() && context.runtime().ticker().since(dirtySince)
                .toMillis() >= context.config().flush().ms()) {
            flush();
        }
    }

    void flushIfMany() {
        if (offsets.end() - offsets.recoveryPoint() >= context.config().flush().messages() && asked.compareAndSet(false,
                true)) {
            gate.inBackground(() -> {
                asked.set(false);
                flush();
            });
        }
    }

    /// Makes all of it durable, under the lock, when the log is closed.
    void all() throws IOException {
        sync(segments.from(offsets.recoveryPoint()), offsets.end(), writer.takeEpochsDirty(), offsets.truncations());
    }

    /// The same where only the epochs may have changed.
    void epochs() throws IOException {
        synchronized (epochCheckpoint) {
            var written = writtenEpochs;
            // One that begins at the end has written nothing, and whoever leads next begins another.
            if (written == null || !written.truncatedTo(offsets.end()).equals(writer.epochs().truncatedTo(offsets
                    .end()))) {
                writeEpochs();
            }
        }
    }

    private void writeEpochs() throws IOException {
        var epochs = writer.epochs();
        epochCheckpoint.write(epochs);
        writtenEpochs = epochs;
    }

    /// What is to be synced, as it was at one moment.
    private record Work(List<Segment> held, boolean epochsDirty, int truncations) {}

    private void upTo(long target) throws IOException {
        var work = gate.locked(() -> gate.isOpen()
                ? new Work(segments.holdFrom(offsets.recoveryPoint()), writer.takeEpochsDirty(), offsets.truncations())
                : new Work(List.of(), false, 0));
        if (work.held.isEmpty()) {
            return;
        }
        try {
            sync(work.held, target, work.epochsDirty, work.truncations);
        } catch (IOException failure) {
            throw gate.look(() -> {
                writer.markEpochsDirty();
                return gate.report(failure);
            });
        } finally {
            work.held.forEach(Segment::release);
        }
    }

    private void sync(List<Segment> list, long target, boolean epochsDirty, int truncations) throws IOException {
        identity.makeDurable();
        for (var segment : list) {
            segment.sync();
        }
        if (epochsDirty) {
            synchronized (epochCheckpoint) {
                writeEpochs();
            }
        }
        context.runtime().disk().syncDirectory(context.directory());
        gate.look(() -> {
            offsets.synced(target, truncations);
            dirtySinceNanos = context.runtime().ticker().nanos();
            return target;
        });
    }
}
