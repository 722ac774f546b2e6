package io.millrace.log.compaction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.millrace.log.segment.Segment;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/// One clean of one log, on the calling thread. The segments stay open while it reads them, whatever becomes of the log.
final class Cleaner {
    private final CleanerSettings settings;
    private final Compactable log;
    private final CompactionState state;
    private final DirtyRange range;
    private final long now;
    private final Pass pass;
    private final BufferSupplier decompression = BufferSupplier.create();
    private final List<AbortedTransaction> aborted = new ArrayList<>();
    private final List<AbortedTransaction> stayAborted = new ArrayList<>();
    private long beforeBytes;
    private long afterBytes;

    /// What came of a clean.
    ///
    /// @param end everything below is clean now
    /// @param beforeBytes of the segments that were written anew
    /// @param afterBytes of those in their place
    /// @param mapUse how full the key map was, 0 to 1
    record Result(long end, long beforeBytes, long afterBytes, long readBytes, long keptRecords, long droppedRecords,
            double mapUse) {}

    /// @param now milliseconds since 1970
    /// @param stopping whether the cleaner is to stop
    Cleaner(CleanerSettings settings, Throttle throttle, Compactable log, CompactionState state, DirtyRange range,
            long now, BooleanSupplier stopping) {
        this.settings = settings;
        this.log = log;
        this.state = state;
        this.range = range;
        this.now = now;
        this.pass = new Pass(settings.bufferBytes(), throttle, () -> !stopping.getAsBoolean() && log.isCurrent(state));
    }

    /// @throws CleaningAborted where the log changed under it, or the cleaner stops; what was put in place until then is good
    /// @throws Uncleanable where the log cannot be cleaned
    Result run() throws IOException, CleaningAborted, Uncleanable {
        var held = new ArrayList<Segment>();
        try (decompression) {
            for (var segment : state.segments()) {
                if (!segment.hold()) {
                    throw new CleaningAborted("a segment was deleted");
                }
                held.add(segment);
                aborted.addAll(segment.abortedTransactions());
            }
            return clean();
        } finally {
            held.forEach(Segment::release);
        }
    }

    private Result clean() throws IOException, CleaningAborted, Uncleanable {
        long most = Math.min(settings.keysPerThread(), range.end() - range.start());
        try (var keys = new OffsetMap(Math.max(0, most), settings.loadFactor())) {
            long end = map(keys);
            var transactions = new TransactionTracker(aborted, stayAborted::add);
            var filter = new RetentionFilter(keys, end, log.lastBatches(end), transactions, now, state.rules()
                    .deleteRetentionMs());
            var rewrite = new Rewrite(filter, settings.bufferBytes(), decompression);
            int count = (int) state.segments().stream().filter(each -> each.baseOffset() < end).count();
            int next = 0;
            for (int size : SegmentGroups.of(parts(count), state.limits().segmentBytes(), state.limits()
                    .indexBytes())) {
                replace(state.segments().subList(next, next + size), rewrite);
                next += size;
            }
            log.cleanedTo(state, end, nextHorizon(rewrite));
            return new Result(end, beforeBytes, afterBytes, pass.readBytes(), rewrite.keptRecords(), rewrite
                    .droppedRecords(), keys.utilization());
        }
    }

    /// @return where the mapped part ends
    private long map(OffsetMap keys) throws IOException, CleaningAborted, Uncleanable {
        var mapping = new KeyMapping(keys, new TransactionTracker(aborted, _ -> {}), decompression, range.start());
        for (int i = 0; i < state.segments().size() && state.segments().get(i).baseOffset() < range.end(); i++) {
            if (state.nextBase(i) > range.start() && !mapping.add(state.segments().get(i), state.nextBase(i), pass)) {
                break;
            }
        }
        return mapping.end();
    }

    private List<SegmentGroups.Part> parts(int count) {
        var parts = new ArrayList<SegmentGroups.Part>();
        for (int i = 0; i < count; i++) {
            var segment = state.segments().get(i);
            parts.add(new SegmentGroups.Part(segment.baseOffset(), state.nextBase(i) - 1, segment.sizeBytes(), segment
                    .indexBytes()));
        }
        return parts;
    }

    private void replace(List<Segment> group, Rewrite rewrite) throws IOException, CleaningAborted, Uncleanable {
        var cleaned = log.newCleaned(group.getFirst().baseOffset());
        boolean ours = true;
        try {
            for (var segment : group) {
                rewrite.copy(segment, cleaned, pass);
                beforeBytes += segment.sizeBytes();
            }
            for (var transaction : stayAborted) {
                cleaned.aborted(transaction);
            }
            stayAborted.clear();
            cleaned.seal();
            cleaned.sync();
            // A failure in there leaves files that only the next start may judge.
            ours = false;
            ours = !log.replace(state, group, cleaned);
            if (ours) {
                throw new CleaningAborted("the log changed");
            }
            afterBytes += cleaned.sizeBytes();
        } finally {
            if (ours) {
                log.discard(cleaned);
            }
        }
    }

    /// Markers that were kept for data that went in this very clean get their own horizon in the next one, which nothing else
    /// may bring about in a topic that has become quiet.
    private long nextHorizon(Rewrite rewrite) {
        long again = rewrite.droppedRecords() > 0 && rewrite.keptMarkers()
                ? now + Math.max(1, state.rules().deleteRetentionMs())
                : Long.MAX_VALUE;
        return Math.min(again, rewrite.nextDeleteHorizon());
    }
}
