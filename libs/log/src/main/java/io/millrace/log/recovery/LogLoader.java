package io.millrace.log.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.epoch.EpochCheckpoint;
import io.millrace.log.epoch.EpochHistory;
import io.millrace.log.producer.Producers;
import io.millrace.log.producer.SnapshotFiles;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.SegmentLimits;
import lombok.extern.slf4j.Slf4j;

/// Opens the segments of one log. After a clean stop they are trusted, but for a look at their indexes; after any other,
/// every segment that reaches past the recovery point is gone over, and the log ends before the first batch that is not whole.
@Slf4j
public final class LogLoader {
    private final Disk disk;
    private final Path directory;
    private final SegmentLimits limits;
    private final long now;
    private final RecoveryProgress progress;
    private final Discarding gone;
    private final Producers producers = new Producers();
    private final SnapshotFiles snapshots;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private long scannedBytes;
    private long cutBytes;
    private boolean asFound = true;

    /// @param now milliseconds since 1970
    /// @param progress told how many segments are still to be scanned
    public LogLoader(Disk disk, Path directory, SegmentLimits limits, long now, RecoveryProgress progress,
            Discarding gone) {
        this.gone = gone;
        this.progress = progress;
        this.disk = disk;
        this.directory = directory;
        this.limits = limits;
        this.now = now;
        this.snapshots = new SnapshotFiles(disk, directory);
    }

    /// @param recoveryPoint offsets below are on disk for sure
    /// @param startOffset the log start offset that was noted; the first segment's where that is higher
    /// @param cleanedTo offsets below were compacted
    public LoadedLog load(long recoveryPoint, long startOffset, long cleanedTo, boolean cleanShutdown)
            throws IOException {
        var names = new Leftovers(disk, directory, limits, now, gone).clear();
        if (names.isEmpty() || names.equals(List.of(SegmentFiles.TOPIC_ID))) {
            return newLog(startOffset);
        }
        var stored = new EpochCheckpoint(disk, directory.resolve(EpochCheckpoint.FILE_NAME)).read();
        epochs = stored.orElse(EpochHistory.EMPTY);
        var segments = open(names);
        if (segments.isEmpty()) {
            asFound = false;
            segments.add(Segment.create(disk, directory, startOffset, limits, now));
        }
        int trusted = cleanShutdown ? segments.size() : firstToCheck(segments, recoveryPoint);
        for (var segment : segments.subList(0, trusted)) {
            repairIndexes(segment);
        }
        if (trusted < segments.size()) {
            recover(segments, trusted, recoveryPoint, cleanedTo);
        } else {
            replayAll(segments, segments.getLast().nextOffset());
        }
        long end = segments.getLast().nextOffset();
        if (stored.isEmpty() && end > segments.getFirst().baseOffset()) {
            rebuildEpochs(segments);
        }
        if (end < startOffset) {
            log.warn("log ends before its start, all of it is dropped: directory={} logEndOffset={} logStartOffset={}",
                    directory, end, startOffset);
            drop(segments, 0);
            segments.add(Segment.create(disk, directory, startOffset, limits, now));
            producers.clear();
            snapshots.deleteAll();
            end = startOffset;
        }
        long start = Math.max(startOffset, segments.getFirst().baseOffset());
        epochs = epochs.truncatedTo(end);
        if (!cleanShutdown && start < end && epochs.epochOf(start).isEmpty()) {
            completeEpochs(segments, end);
        }
        epochs = epochs.startingAt(start);
        return new LoadedLog(segments, producers, epochs, !stored.equals(Optional.of(epochs)), start, end,
                scannedBytes, cutBytes, asFound && scannedBytes == 0 && cutBytes == 0);
    }

    private LoadedLog newLog(long startOffset) throws IOException {
        var segments = new ArrayList<>(List.of(Segment.create(disk, directory, startOffset, limits, now)));
        return new LoadedLog(segments, producers, epochs, true, startOffset, startOffset, 0, 0, false);
    }

    private List<Segment> open(List<String> names) throws IOException {
        var segments = new ArrayList<Segment>();
        for (var name : names) {
            var offset = SegmentFiles.offset(name, SegmentFiles.LOG);
            if (offset.isPresent()) {
                segments.add(Segment.open(disk, directory, offset.getAsLong(), limits, now));
            }
        }
        for (var name : names) {
            for (var index : SegmentFiles.INDEXES) {
                var offset = SegmentFiles.offset(name, index);
                if (offset.isPresent() && segments.stream().noneMatch(each -> each.baseOffset() == offset
                        .getAsLong())) {
                    disk.delete(directory.resolve(name));
                }
            }
        }
        return segments;
    }

    private static int firstToCheck(List<Segment> segments, long recoveryPoint) {
        int first = 0;
        while (first + 1 < segments.size() && segments.get(first + 1).baseOffset() <= recoveryPoint) {
            first++;
        }
        return first;
    }

    private void repairIndexes(Segment segment) throws IOException {
        if (!segment.hasSaneIndexes()) {
            log.warn("rebuilding the indexes: directory={} segment={}", directory, segment);
            scannedBytes += segment.sizeBytes();
            cutBytes += segment.recover(Long.MAX_VALUE, (_, _) -> true);
            segment.seal();
        }
    }

    private void recover(List<Segment> segments, int first, long recoveryPoint, long cleanedTo) throws IOException {
        asFound = false;
        long base = segments.get(first).baseOffset();
        // From here on the batches themselves say who wrote them; the file may be older, or of what was cut off since.
        epochs = epochs.truncatedTo(base);
        long from = snapshots.restore(producers, base, segments.getFirst().baseOffset());
        for (var segment : segments.subList(0, first)) {
            segment.replay(from, producers::appended);
        }
        for (int i = first; i < segments.size(); i++) {
            progress.remaining(segments.size() - i);
            var segment = segments.get(i);
            if (i > first && isHole(segments.get(i - 1), segment, cleanedTo)) {
                log.warn("cut off what comes after a segment whose end is lost: directory={} segment={} next={}",
                        directory, segments.get(i - 1), segment);
                drop(segments, i);
                break;
            }
            scannedBytes += segment.sizeBytes();
            segment.clearAborted();
            long cut = segment.recover(recoveryPoint, (batch, position) -> {
                var aborted = producers.appended(batch.isControl()
                        ? segment.load(position, batch.sizeBytes())
                        : batch);
                if (aborted != null) {
                    segment.aborted(aborted);
                }
                epochs = epochs.plus(batch.leaderEpoch(), batch.baseOffset());
                return true;
            });
            if (i < segments.size() - 1) {
                segment.seal();
            }
            if (cut > 0) {
                cutBytes += cut;
                log.warn("cut off what is not a whole batch: directory={} segment={} bytes={}", directory, segment,
                        cut);
                drop(segments, i + 1);
            }
        }
    }

    /// Whether the end of a segment is missing that the disk had not written yet. The cleaner leaves gaps as well, but none
    /// above the recovery point; a follower's log has some where offsets are farther apart than a segment can be long.
    private static boolean isHole(Segment before, Segment next, long cleanedTo) throws IOException {
        return next.baseOffset() > before.nextOffset() && next.baseOffset() > cleanedTo && next.baseOffset() - before
                .baseOffset() <= Integer.MAX_VALUE;
    }

    /// Makes `producers` what it was at `end`, from snapshots and the batches after them.
    private void replayAll(List<Segment> segments, long end) throws IOException {
        long from = snapshots.restore(producers, end, segments.getFirst().baseOffset());
        asFound &= from == end;
        for (var segment : segments) {
            segment.replay(from, producers::appended);
        }
    }

    private void rebuildEpochs(List<Segment> segments) throws IOException {
        for (var segment : segments) {
            segment.visit(segment.baseOffset(), segment.sizeBytes(), (Batch batch, int _) -> {
                epochs = epochs.plus(batch.leaderEpoch(), batch.baseOffset());
                return true;
            });
        }
    }

    /// Records were deleted, the epochs written as they were from there on, and the process was killed before the new start of
    /// the log was: what was deleted is back, and its epochs are to be told from those after it.
    private void completeEpochs(List<Segment> segments, long end) throws IOException {
        var known = epochs.starts();
        long first = known.isEmpty() ? end : known.getFirst().startOffset();
        epochs = EpochHistory.EMPTY;
        for (var segment : segments) {
            if (segment.baseOffset() < first) {
                segment.visit(segment.baseOffset(), segment.sizeBytes(), (Batch batch, int _) -> {
                    if (batch.baseOffset() < first) {
                        epochs = epochs.plus(batch.leaderEpoch(), batch.baseOffset());
                    }
                    return batch.baseOffset() < first;
                });
            }
        }
        known.forEach(start -> epochs = epochs.plus(start.epoch(), start.startOffset()));
    }

    private void drop(List<Segment> segments, int first) throws IOException {
        asFound = false;
        var dropped = segments.subList(first, segments.size());
        for (var segment : dropped) {
            cutBytes += segment.sizeBytes();
            segment.rename(SegmentFiles.DELETED);
            segment.close();
            for (var file : segment.files()) {
                gone.discard(file);
            }
        }
        dropped.clear();
    }
}
