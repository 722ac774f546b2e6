package io.millrace.log.producer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SegmentFiles;

/// The producer snapshots of one log: files named by the offset up to which they hold.
public record SnapshotFiles(Disk disk, Path directory) {

    /// Writes what is known at `offset`. Not durable at once: a torn file is known by its CRC, and then an older one serves.
    public void write(Producers producers, long offset) throws IOException {
        var content = producers.snapshot();
        try (var file = disk.open(path(offset))) {
            file.truncate(0);
            file.write(ByteBuffer.wrap(content), 0);
        }
    }

    /// Loads the newest whole snapshot at or below `offset`, and deletes newer and broken ones.
    ///
    /// @return the offset from which batches have to be replayed; `start` where there is no snapshot
    public long restore(Producers producers, long offset, long start) throws IOException {
        for (long at : offsets().reversed()) {
            if (at <= offset && at >= start && producers.restore(disk.read(path(at)))) {
                return at;
            }
            if (at >= start) {
                disk.delete(path(at));
            }
        }
        producers.clear();
        return start;
    }

    /// Deletes those below `offset`.
    public void deleteBefore(long offset) throws IOException {
        for (long at : offsets()) {
            if (at < offset) {
                disk.delete(path(at));
            }
        }
    }

    /// Deletes the one at `offset`.
    public void delete(long offset) throws IOException {
        disk.delete(path(offset));
    }

    /// Deletes all.
    public void deleteAll() throws IOException {
        deleteBefore(Long.MAX_VALUE);
    }

    private Path path(long offset) {
        return SegmentFiles.path(directory, offset, SegmentFiles.SNAPSHOT);
    }

    private List<Long> offsets() throws IOException {
        var offsets = new ArrayList<Long>();
        for (var name : disk.list(directory)) {
            SegmentFiles.offset(name, SegmentFiles.SNAPSHOT).ifPresent(offsets::add);
        }
        return offsets;
    }
}
