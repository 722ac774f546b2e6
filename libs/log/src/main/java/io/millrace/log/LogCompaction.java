package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.millrace.log.compaction.Compactable;
import io.millrace.log.compaction.CompactionState;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.producer.LastBatch;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;

/// What the cleaner sees of a log, and how what it has written takes its place.
final class LogCompaction implements Compactable {
    private final LogContext context;
    private final LogGate gate;
    private final Segments segments;
    private final LogOffsets offsets;
    private final LogWriter writer;
    private final DirectoryFiles files;
    private final Work work;
    private volatile Progress progress = Progress.NONE;
    /// What the files say is on disk for sure, at least.
    private volatile long settledTo;

    /// What it has others do.
    ///
    /// @param roll closes the active segment
    /// @param flush makes all of the log durable
    record Work(LogGate.Work roll, LogGate.Work flush) {}

    /// How far it is clean.
    ///
    /// @param cleanedTo everything below is; 0 where nothing is known to be
    /// @param nextDeleteHorizon when the first tombstone or marker may go that is left there, milliseconds since 1970
    record Progress(long cleanedTo, long nextDeleteHorizon) {
        static final Progress NONE = new Progress(0, Long.MAX_VALUE);
    }

    LogCompaction(LogContext context, LogGate gate, Segments segments, LogOffsets offsets, LogWriter writer,
            DirectoryFiles files, Work work) {
        this.context = context;
        this.gate = gate;
        this.segments = segments;
        this.offsets = offsets;
        this.writer = writer;
        this.files = files;
        this.work = work;
    }

    Progress progress() {
        return progress;
    }

    /// As it was noted before the last stop.
    void resume(Progress noted) {
        progress = noted;
    }

    /// The log will be cut at `offset`; what is appended there anew is not clean.
    ///
    /// @return whether that is below what is clean
    boolean truncating(long offset) {
        settledTo = Math.min(settledTo, offset);
        boolean below = progress.cleanedTo > offset;
        if (below) {
            progress = new Progress(offset, progress.nextDeleteHorizon);
        }
        return below;
    }

    @Override
    public Path directory() {
        return gate.directory();
    }

    @Override
    public CompactionState state() {
        return gate.look(() -> new CompactionState(context.config().compaction(), context.config().segment(), segments
                .list(), offsets.start(), offsets.end(), offsets.lastStable(), progress.cleanedTo,
                progress.nextDeleteHorizon, offsets.truncations()));
    }

    @Override
    public Map<Long, LastBatch> lastBatches(long end) {
        return gate.look(() -> writer.producers().lastBatches(end));
    }

    @Override
    public void rollIfOld() throws IOException {
        var rules = context.config().compaction();
        long most = Math.min(context.config().segment().segmentMs(), Math.max(1, rules.maxCompactionLagMs()));
        var active = segments.active();
        if (active.sizeBytes() > 0 && context.now() - active.createdAt() > most) {
            work.roll.run();
        }
    }

    @Override
    public Segment newCleaned(long baseOffset) throws IOException {
        return Segment.createCleaned(context.runtime().disk(), context.directory(), baseOffset, context.config()
                .segment(), context.now());
    }

    @Override
    public boolean isCurrent(CompactionState state) {
        return gate.isOpen() && offsets.truncations() == state.truncations();
    }

    /// Renames, each step durable before the next: the new one from `.cleaned` to `.swap`, which from then on stands for all
    /// that it was made from, whatever a crash leaves of them; these to `.deleted`; the new one to its place. Only then do
    /// reads find it. A crash before the first step leaves the old ones, one after it the new one.
    @Override
    public boolean replace(CompactionState state, List<Segment> old, Segment cleaned) throws IOException {
        settle(state, old.getLast());
        return gate.restructure(() -> {
            if (!isCurrent(state) || !segments.list().containsAll(old)) {
                return false;
            }
            try {
                cleaned.rename(SegmentFiles.SWAP);
                syncDirectory();
                context.trash().add(old.reversed(), context.config().segment().fileDeleteDelayMs());
                syncDirectory();
                cleaned.rename("");
                syncDirectory();
                gate.look(() -> {
                    segments.replace(with(old, cleaned));
                    return cleaned;
                });
                writer.dropSnapshots(old.subList(1, old.size()));
                return true;
            } catch (IOException failure) {
                throw gate.report(failure);
            }
        });
    }

    /// A segment that ends before the next one begins is what the cleaner makes, and what a loss of power leaves of two of
    /// which only the second one had reached the disk. Recovery tells them apart by the recovery point: so nothing is put in
    /// place above it.
    private void settle(CompactionState state, Segment last) throws IOException {
        long end = state.nextBase(state.segments().indexOf(last));
        if (settledTo >= end) {
            return;
        }
        work.flush.run();
        long durable = offsets.recoveryPoint();
        files.writeCheckpoints();
        gate.look(() -> {
            if (isCurrent(state)) {
                settledTo = durable;
            }
            return state;
        });
    }

    @Override
    public void discard(Segment cleaned) throws IOException {
        cleaned.close();
        for (var file : cleaned.files()) {
            context.trash().discard(file);
        }
    }

    private void syncDirectory() throws IOException {
        context.runtime().disk().syncDirectory(context.directory());
    }

    private List<Segment> with(List<Segment> old, Segment cleaned) {
        var list = new ArrayList<Segment>(segments.count());
        for (var segment : segments.list()) {
            if (segment == old.getFirst()) {
                list.add(cleaned);
            } else if (!old.contains(segment)) {
                list.add(segment);
            }
        }
        return list;
    }

    @Override
    public void cleanedTo(CompactionState state, long offset, long nextDeleteHorizon) throws IOException {
        boolean noted = gate.look(() -> {
            boolean current = isCurrent(state);
            if (current) {
                progress = new Progress(offset, nextDeleteHorizon);
            }
            return current;
        });
        if (noted) {
            files.writeCleanerCheckpoints();
        }
    }

    @Override
    public void failed(IOException failure) {
        gate.report(failure);
    }
}
