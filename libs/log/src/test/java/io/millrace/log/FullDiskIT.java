package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.Disk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real file system without room, of many sizes, so that it gets full in a batch, an index, a new segment, a checkpoint;
/// also while a log is opened. [FullDiskTest] tries every write, but on a disk that only says that it is full. Needs root.
class FullDiskIT {
    private static final PartitionId ID = new PartitionId("t", 0);
    private static final UUID TOPIC = new UUID(1, 2);
    private static final int PAGE = 4096;
    private static final int SIZES = 40;
    private static final int BALLAST_PAGES = 16;

    @TempDir
    Path root;
    private Path disk;
    private long taken;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        disk = Files.createDirectory(root.resolve("disk"));
        assumeTrue(ran("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()), "only root may mount");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        ran("umount", disk.toString());
    }

    private static boolean ran(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor() == 0;
    }

    @Test
    void whatWasTakenIsThereOnceThereIsRoomAgain() throws IOException {
        for (int size = 0; size < SIZES; size++) {
            var path = disk.resolve("logs");
            Files.write(disk.resolve("ballast"), new byte[BALLAST_PAGES * PAGE]);
            Files.write(disk.resolve("rest"), new byte[1_600_000 + size * PAGE]);
            taken = 0;
            fill(path);
            fillAtTheStart(path);

            Files.delete(disk.resolve("ballast"));

            check(path, "size " + size);
            Disk.FILES.delete(path);
        }
    }

    private void fill(Path path) throws IOException {
        var fixture = new LogFixture(path);
        try (var directory = LogDirectory.open(path, new Identity("c", 1), fixture.runtime())) {
            var log = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            while (taken < Integer.MAX_VALUE) {
                log.append(TestBatch.batch().valueOf(250).bytes(), 0, AppendOrigin.CLIENT);
                taken++;
                if (taken % 16 == 0) {
                    directory.writeCheckpoints();
                }
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
        assertThat(taken).isPositive();
    }

    /// It may be refused or not, but must not harm.
    private void fillAtTheStart(Path path) throws IOException {
        var fixture = new LogFixture(path);
        try (var directory = LogDirectory.open(path, new Identity("c", 1), fixture.runtime())) {
            assertThat(directory.wasCleanShutdown()).isFalse();
            var log = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            assertThat(log.logEndOffset()).isGreaterThanOrEqualTo(taken);
            log.append(TestBatch.batch().valueOf(250).bytes(), 0, AppendOrigin.CLIENT);
            taken = log.logEndOffset();
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private void check(Path path, String when) throws IOException {
        var fixture = new LogFixture(path);
        try (var directory = LogDirectory.open(path, new Identity("c", 1), fixture.runtime())) {
            fixture.log = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            assertThat(fixture.log.logEndOffset()).as(when).isGreaterThanOrEqualTo(taken);
            assertThat(fixture.baseOffsets()).as(when).hasSize((int) fixture.log.logEndOffset());
        }
    }
}
