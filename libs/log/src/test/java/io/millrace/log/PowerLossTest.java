package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.millrace.log.batch.TestBatch;
import io.millrace.log.recovery.RecoveryProgress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Segments whose order on the disk is not that in which they were written.
class PowerLossTest {
    @TempDir
    Path root;
    private LogFixture it;

    @BeforeEach
    void open() throws IOException {
        it = new LogFixture(root).set("segment.bytes", 300).open();
    }

    /// Takes the last batch of the segment at `base` away, as where the file system had written the next one first.
    private void loseEnd(long base) throws IOException {
        var file = it.file(base, ".log");
        var bytes = Files.readAllBytes(file);
        int last = 0;
        for (int at = 0; at < bytes.length; at += 12 + ByteBuffer.wrap(bytes).getInt(at + 8)) {
            last = at;
        }
        var beside = file.resolveSibling("beside");
        Files.write(beside, Arrays.copyOf(bytes, last));
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<Long> append(int batches) throws IOException {
        for (int i = 0; i < batches; i++) {
            it.append(TestBatch.batch().records(2));
        }
        return it.baseOffsets();
    }

    @Test
    void logEndsWhereTheEndOfASegmentIsLost() throws IOException {
        var all = append(12);
        long second = it.files().stream().filter(name -> name.endsWith(".log")).mapToLong(name -> Long.parseLong(name,
                0, 20, 10)).skip(1).findFirst().orElseThrow();
        loseEnd(second);

        it.open(new LogCheckpoint(second, 0, 0), false);

        var left = it.baseOffsets();
        assertThat(left).hasSizeLessThan(all.size()).isEqualTo(all.subList(0, left.size()));
        assertThat(it.log.logEndOffset()).isEqualTo(left.getLast() + 2);
        assertThat(append(1)).last().isEqualTo(left.getLast() + 2);
    }

    @Test
    void gapsBelowTheRecoveryPointOrWhatIsCleanAreTheCleaners() throws IOException {
        var all = append(12);
        loseEnd(0);
        long end = it.log.logEndOffset();

        it.open(new LogCheckpoint(end, 0, 0), false);
        assertThat(it.baseOffsets()).hasSize(all.size() - 1);

        it.log = PartitionLog.open(it.directory, LogConfig.of(it.settings), it.runtime(), new LogStart(
                LogCheckpoint.NONE,
                false, new LogCompaction.Progress(end, Long.MAX_VALUE), RecoveryProgress.NONE), DirectoryFiles.NONE);
        assertThat(it.baseOffsets()).hasSize(all.size() - 1);
    }

    @Test
    void logOfAFollowerOfACompactedOneHasGapsOnlyInsideOfItsSegments() throws IOException {
        var offsets = LongStream.iterate(0, offset -> offset < 400, offset -> offset + 20).boxed().toList();
        for (long offset : offsets) {
            it.log.appendAsFollower(TestBatch.batch().records(1).at(offset).bytes());
        }

        it.open(LogCheckpoint.NONE, false);

        assertThat(it.log.segmentCount()).isGreaterThan(3);
        assertThat(it.baseOffsets()).isEqualTo(offsets);
    }
}
