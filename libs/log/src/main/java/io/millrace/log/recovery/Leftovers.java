package io.millrace.log.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.SegmentLimits;
import lombok.extern.slf4j.Slf4j;

/// What a stop in the middle of something has left in a log's directory. What was to be deleted goes, what the cleaner had
/// not finished goes, and what it had finished takes its place: a `.log.swap` is whole and durable, and stands for every
/// segment in its range of offsets, however many of those are still there.
@Slf4j
record Leftovers(Disk disk, Path directory, SegmentLimits limits, long now, Discarding gone) {

    /// @return names of the files that are there then
    List<String> clear() throws IOException {
        var names = disk.list(directory);
        // The usual case: a thousand logs are opened at a start.
        if (names.stream().noneMatch(Leftovers::isLeftOver)) {
            return names;
        }
        for (var name : names) {
            if (isLeftOver(name) && !name.endsWith(SegmentFiles.SWAP)) {
                gone.discard(directory.resolve(name));
            }
        }
        for (var name : names) {
            var swapped = SegmentFiles.offset(name, SegmentFiles.LOG + SegmentFiles.SWAP);
            if (swapped.isPresent()) {
                complete(swapped.getAsLong());
            }
        }
        for (var name : disk.list(directory)) {
            if (name.endsWith(SegmentFiles.SWAP)) {
                gone.discard(directory.resolve(name));
            }
        }
        return disk.list(directory).stream().filter(name -> !isLeftOver(name)).toList();
    }

    private static boolean isLeftOver(String name) {
        return name.endsWith(SegmentFiles.DELETED) || name.endsWith(SegmentFiles.CLEANED) || name.endsWith(".tmp")
                || name.endsWith(SegmentFiles.SWAP);
    }

    private void complete(long baseOffset) throws IOException {
        var swapped = Segment.openSwapped(disk, directory, baseOffset, limits, now);
        try {
            long end = Math.max(swapped.nextOffset(), baseOffset + 1);
            for (var name : disk.list(directory)) {
                var offset = SegmentFiles.offset(name, SegmentFiles.LOG);
                if (offset.isPresent() && offset.getAsLong() >= baseOffset && offset.getAsLong() < end) {
                    deleteSegment(offset.getAsLong());
                }
            }
            disk.syncDirectory(directory);
            swapped.rename("");
            disk.syncDirectory(directory);
            log.info("a cleaned segment has taken its place: directory={} segment={}", directory, swapped);
        } finally {
            swapped.close();
        }
    }

    /// The log itself last: as long as it is there, its indexes are its own and not those of the one that comes.
    private void deleteSegment(long offset) throws IOException {
        for (var kind : SegmentFiles.ALL) {
            gone.discard(SegmentFiles.path(directory, offset, kind));
        }
    }
}
