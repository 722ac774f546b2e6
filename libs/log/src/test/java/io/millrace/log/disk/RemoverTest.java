package io.millrace.log.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoverTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<IOException> failures = new ArrayList<>();
    private boolean stopping;
    private final Background background = new Background() {
        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public Timeout schedule(Duration delay, Runnable task) {
            if (stopping) {
                throw new RejectedExecutionException("stopping");
            }
            return loop.schedule(delay, task);
        }
    };
    private final Remover remover = new Remover(Disk.FILES, background);

    @Test
    void aLargeFileGoesPieceByPieceWithRests() throws IOException {
        var file = file("large", 5 * Remover.PIECE_BYTES);
        remove(file);

        var sizes = new ArrayList<Long>();
        for (int moments = 0; Files.exists(file) && moments < 1000; moments++) {
            if (sizes.isEmpty() || sizes.getLast() != Files.size(file)) {
                sizes.add(Files.size(file));
            }
            loop.advance(MOMENT);
        }

        assertThat(sizes).containsExactly(5 * Remover.PIECE_BYTES, 4 * Remover.PIECE_BYTES, 3 * Remover.PIECE_BYTES, 2
                * Remover.PIECE_BYTES, Remover.PIECE_BYTES);
        assertThat(file).doesNotExist();
    }

    @Test
    void oneFileGoesAfterTheOther() throws IOException {
        var first = file("first", 3 * Remover.PIECE_BYTES);
        var second = file("second", 3 * Remover.PIECE_BYTES);
        remove(first);
        remove(second);

        while (Files.exists(first)) {
            assertThat(second).hasSize(3 * Remover.PIECE_BYTES);
            loop.advance(MOMENT);
        }
        loop.advance(Duration.ofSeconds(1));
        assertThat(second).doesNotExist();
    }

    @Test
    void manySmallFilesGoWithRestsToo() throws IOException {
        var directory = Files.createDirectories(folder.resolve("t-0.0-delete"));
        for (int i = 0; i < 8; i++) {
            file("t-0.0-delete/" + i, Remover.PIECE_BYTES / 2);
        }
        remove(directory);
        loop.advance(MOMENT);
        assertThat(Disk.FILES.list(directory)).hasSize(6);
        loop.advance(Duration.ofSeconds(1));
        assertThat(directory).doesNotExist();
    }

    @Test
    void aDirectoryGoesWithItsFiles() throws IOException {
        var directory = Files.createDirectories(folder.resolve("t-0.0-delete"));
        file("t-0.0-delete/large", 3 * Remover.PIECE_BYTES);
        file("t-0.0-delete/small", 1);
        remove(directory);
        loop.advance(Duration.ofSeconds(1));
        assertThat(directory).doesNotExist();
        assertThat(failures).isEmpty();
    }

    @Test
    void whoeverStillReadsItGetsAllOfIt() throws IOException {
        var file = file("large", 3 * Remover.PIECE_BYTES);
        try (var reader = FileChannel.open(file)) {
            remover.remove(file, () -> true, failures::add);
            loop.advance(Duration.ofSeconds(1));
            assertThat(file).doesNotExist();
            assertThat(reader.size()).isEqualTo(3 * Remover.PIECE_BYTES);
        }
    }

    @Test
    void whatCannotGoIsToldAndTheNextGoes() throws IOException {
        var disk = new SimulatedDisk(loop.clock());
        var broken = Path.of("/broken");
        var whole = Path.of("/whole");
        disk.createDirectories(broken);
        disk.createDirectories(whole);
        disk.fail(broken);
        var both = new Remover(disk, background);
        both.remove(broken, () -> false, failures::add);
        both.remove(whole, () -> false, failures::add);
        loop.advance(Duration.ofSeconds(1));
        assertThat(failures).hasSize(1);
        assertThat(disk.exists(whole)).isFalse();
    }

    @Test
    void whatIsNotThereIsNoFailureAndAStopEndsIt() throws IOException {
        remove(folder.resolve("nothing"));
        loop.advance(Duration.ofSeconds(1));
        var file = file("large", 3 * Remover.PIECE_BYTES);
        remove(file);
        loop.advance(MOMENT);
        stopping = true;
        loop.advance(Duration.ofSeconds(1));
        assertThat(file).hasSize(Remover.PIECE_BYTES);
        assertThat(failures).isEmpty();
    }

    @Test
    void whatIsDiscardedIsGoneFromItsNameAtOnceAndItsBytesPieceByPiece() throws IOException {
        var large = file("0.log.cleaned", 3 * Remover.PIECE_BYTES);
        var small = file("0.index.cleaned", 10);
        remover.discard(large, failures::add);
        remover.discard(small, failures::add);
        remover.discard(folder.resolve("nothing"), failures::add);
        assertThat(large).doesNotExist();
        assertThat(small).doesNotExist();

        loop.advance(MOMENT);
        var rest = Disk.FILES.list(folder);
        assertThat(rest).hasSize(1).allMatch(name -> name.endsWith(".deleted"));
        assertThat(folder.resolve(rest.getFirst())).hasSize(2 * Remover.PIECE_BYTES);
        loop.advance(Duration.ofSeconds(1));
        assertThat(folder).isEmptyDirectory();
        assertThat(failures).isEmpty();
    }

    private void remove(Path path) {
        remover.remove(path, () -> false, failures::add);
    }

    /// Has no bytes: it is as long as it says, which is what counts.
    private Path file(String name, long bytes) throws IOException {
        var path = folder.resolve(name);
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(bytes);
        }
        return path;
    }
}
