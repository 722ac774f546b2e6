package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The disk becomes full at each write in turn: of a log, of an index that grows, of a new segment, of a checkpoint.
class FullDiskTest {
    private static final PartitionId ID = new PartitionId("t", 0);
    private static final UUID TOPIC = new UUID(1, 2);
    private static final int BATCHES = 30;

    @TempDir
    Path root;

    @Test
    void whateverWriteFailsTheLogSaysSoIsNotMarkedCleanAndKeepsWhatItTook() throws IOException {
        int writes = 0;
        while (failsAfter(writes)) {
            writes++;
        }
        assertThat(writes).isGreaterThan(BATCHES);
    }

    /// @return whether a write failed
    private boolean failsAfter(int writes) throws IOException {
        var path = root.resolve("after-" + writes);
        var fixture = new LogFixture(path);
        var disk = new FailingDisk();
        fixture.disk = disk;
        var directory = LogDirectory.open(path, new Identity("c", 1), fixture.runtime());
        var log = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
        disk.failWritesAfter(writes);
        long taken = 0;
        boolean failed = false;
        try {
            while (taken < BATCHES) {
                log.append(TestBatch.batch().valueOf(300).bytes(), 0, AppendOrigin.CLIENT);
                taken++;
            }
        } catch (IOException full) {
            failed = true;
            assertThat(fixture.failures).hasSize(1);
            assertThat(log.hasFailed()).isTrue();
        }
        // Room again; what failed once is not trusted all the same.
        disk.failWritesAfter(Integer.MAX_VALUE);
        directory.close();

        fixture.disk = new FailingDisk();
        try (var again = LogDirectory.open(path, new Identity("c", 1), fixture.runtime())) {
            assertThat(again.wasCleanShutdown()).as("after %d writes", writes).isEqualTo(!failed);
            fixture.log = again.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            assertThat(fixture.log.logEndOffset()).as("after %d writes", writes).isGreaterThanOrEqualTo(taken);
            assertThat(fixture.baseOffsets()).hasSize((int) fixture.log.logEndOffset());
        }
        return failed;
    }
}
