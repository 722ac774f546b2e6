package io.millrace.broker.partition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.PartitionId;
import lombok.extern.slf4j.Slf4j;

/// Deletes logs, several at a time. For one thread, which waits for them before it makes anything of the same name.
@Slf4j
final class LogDeletions {
    private final LogDirectories directories;
    private final Executor disks;
    private final List<CompletableFuture<Void>> begun = new ArrayList<>();
    private final PartitionLines lines = new PartitionLines(log, "deleted logs");

    LogDeletions(LogDirectories directories, Executor disks) {
        this.directories = directories;
        this.disks = disks;
    }

    void begin(PartitionId id, String why) {
        lines.say("deleting a log topic={} partition={} reason={}", id.topic(), id.partition(), why);
        begun.add(CompletableFuture.runAsync(() -> delete(id), disks));
    }

    /// Waits until those begun are gone, or could not be deleted.
    void await() {
        begun.forEach(CompletableFuture::join);
        begun.clear();
        lines.end();
    }

    private void delete(PartitionId id) {
        try {
            directories.deleteLog(id);
        } catch (IOException | RuntimeException failure) {
            log.warn("a log was not deleted partition={}", id, failure);
        }
    }
}
