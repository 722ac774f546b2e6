package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import io.millrace.log.LogCompaction.Progress;
import io.millrace.log.disk.Disk;

/// How far each log of a directory is clean: Kafka's `cleaner-offset-checkpoint`, and beside it, in the same format, when the
/// next tombstone or marker may go, since nothing else says so once a quiet topic's broker has started again.
final class CleanerCheckpoints {
    private final OffsetCheckpointFile offsets;
    private final OffsetCheckpointFile horizons;
    /// What the files say, but for logs that are open. Its monitor is held while they are written.
    private final Map<PartitionId, Progress> known = new HashMap<>();

    CleanerCheckpoints(Disk disk, Path directory) throws IOException {
        offsets = new OffsetCheckpointFile(disk, directory.resolve(OffsetCheckpointFile.CLEANER));
        horizons = new OffsetCheckpointFile(disk, directory.resolve(OffsetCheckpointFile.CLEANER_HORIZON));
        var noted = horizons.read();
        offsets.read().forEach((id, offset) -> known.put(id, new Progress(offset, noted.getOrDefault(id,
                Long.MAX_VALUE))));
    }

    Progress of(PartitionId id) {
        synchronized (known) {
            return known.getOrDefault(id, Progress.NONE);
        }
    }

    /// That log is no more.
    void forget(PartitionId id) throws IOException {
        synchronized (known) {
            if (known.remove(id) != null) {
                write();
            }
        }
    }

    void write(Map<PartitionId, PartitionLog> open) throws IOException {
        synchronized (known) {
            open.forEach((id, log) -> {
                var progress = log.compactionProgress();
                if (progress.cleanedTo() > 0 || known.containsKey(id)) {
                    known.put(id, progress);
                }
            });
            write();
        }
    }

    private void write() throws IOException {
        var ends = new TreeMap<PartitionId, Long>(PartitionId.ORDER);
        var next = new TreeMap<PartitionId, Long>(PartitionId.ORDER);
        known.forEach((id, progress) -> {
            ends.put(id, progress.cleanedTo());
            if (progress.nextDeleteHorizon() < Long.MAX_VALUE) {
                next.put(id, progress.nextDeleteHorizon());
            }
        });
        offsets.write(ends);
        horizons.write(next);
    }
}
