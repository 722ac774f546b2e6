package io.millrace.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CappedDiskTest {
    private static final int MOST = 3;

    @TempDir
    Path directory;

    private final CappedDisk disk = new CappedDisk(Disk.FILES, MOST, MOST);

    @Test
    void aFileIsMadeAtOnceAndOpenedWhenItIsUsed() throws IOException {
        var file = open("a");
        assertThat(directory.resolve("a")).exists();
        assertThat(file.size()).isZero();
        file.truncate(10);
        assertThat(disk.openFiles()).isZero();

        write(file, "one");

        assertThat(disk.openFiles()).isOne();
        assertThat(file.size()).isEqualTo(3);
    }

    @Test
    void manyFilesAreUsedInTurnThoughFewAreOpen() throws IOException {
        var files = new ArrayList<LogFile>();
        for (int i = 0; i < 20; i++) {
            files.add(open("f" + i));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < files.size(); i++) {
                write(files.get(i), "round " + round + " of " + i);
                assertThat(disk.openFiles()).isLessThanOrEqualTo(MOST + 1);
            }
        }
        for (int i = 0; i < files.size(); i++) {
            assertThat(read(files.get(i))).isEqualTo("round 2 of " + i);
            files.get(i).sync();
            files.get(i).close();
        }
        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void whatIsHeldStaysOpenThoughItIsDeletedMeanwhile() throws IOException {
        var held = open("held");
        write(held, "kept");
        held.hold();
        disk.delete(directory.resolve("held"));
        for (int i = 0; i < 20; i++) {
            write(open("f" + i), "x");
        }

        var bytes = ByteBuffer.allocate(4);
        held.channel().read(bytes, 0);
        assertThat(new String(bytes.array(), StandardCharsets.US_ASCII)).isEqualTo("kept");

        held.release();
        for (int i = 0; i < 40; i++) {
            write(open("g" + i), "x");
        }
        assertThatThrownBy(held::hold).isInstanceOf(NoSuchFileException.class);
        assertThat(directory.resolve("held")).as("it is not made anew").doesNotExist();
    }

    @Test
    void aFileThatIsRenamedWhileItIsNotOpenIsFoundByItsNewName() throws IOException {
        var file = open("old");
        write(file, "text");
        for (int i = 0; i < 20; i++) {
            write(open("f" + i), "x");
        }

        file.rename(disk, directory.resolve("old"), directory.resolve("new"));

        assertThat(read(file)).isEqualTo("text");
        assertThat(directory.resolve("old")).doesNotExist();
        file.rename(disk, directory.resolve("new"), directory.resolve("newer"));
        assertThat(read(file)).as("nor is one that is open lost").isEqualTo("text");
    }

    @Test
    void aClosedFileIsNotOpenedAgain() throws IOException {
        var file = open("a");
        write(file, "x");
        file.close();
        file.close();
        assertThatThrownBy(() -> read(file)).isInstanceOf(ClosedChannelException.class);
        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void threadsThatUseManyFilesAtOnceDisturbNobody() {
        var files = new ArrayList<LogFile>();
        for (int i = 0; i < 12; i++) {
            var path = directory.resolve("f" + i);
            try {
                Files.writeString(path, "file" + (char) ('a' + i));
                files.add(disk.open(path));
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        }
        try (var threads = Executors.newFixedThreadPool(4)) {
            var all = new ArrayList<CompletableFuture<Void>>();
            for (int thread = 0; thread < 4; thread++) {
                var random = new Random(thread);
                all.add(CompletableFuture.runAsync(() -> readAtRandom(files, random), threads));
            }
            all.forEach(CompletableFuture::join);
        }
        assertThat(disk.openFiles()).isLessThanOrEqualTo(MOST + 4);
    }

    private static void readAtRandom(List<LogFile> files, Random random) {
        try {
            for (int i = 0; i < 3000; i++) {
                int which = random.nextInt(files.size());
                assertThat(read(files.get(which))).isEqualTo("file" + (char) ('a' + which));
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private LogFile open(String name) throws IOException {
        return disk.open(directory.resolve(name));
    }

    private static void write(LogFile file, String text) throws IOException {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static String read(LogFile file) throws IOException {
        var bytes = ByteBuffer.allocate(100);
        int count = file.read(bytes, 0);
        return new String(bytes.array(), 0, count, StandardCharsets.US_ASCII);
    }
}
