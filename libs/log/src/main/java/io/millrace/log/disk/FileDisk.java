package io.millrace.log.disk;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/// Files as the JDK gives them.
final class FileDisk implements Disk {
    private final MapBudget maps = new MapBudget(Integer.MAX_VALUE);

    @Override
    public LogFile open(Path path) throws IOException {
        return new ChannelFile(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public long size(Path path) throws IOException {
        return Files.size(path);
    }

    @Override
    public long lastModified(Path path) throws IOException {
        return Files.getLastModifiedTime(path).toMillis();
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        var names = directory.toFile().list();
        if (names == null) {
            throw new IOException("cannot be listed: " + directory);
        }
        Arrays.sort(names);
        return List.of(names);
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(path);
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    if (failure != null) {
                        throw failure;
                    }
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException _) {
            // Already gone, which is what was asked for.
        }
    }

    @Override
    public byte[] read(Path path) throws IOException {
        return Files.readAllBytes(path);
    }

    @Override
    public void replace(Path path, byte[] content) throws IOException {
        var beside = path.resolveSibling(path.getFileName() + ".tmp");
        try (var file = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            var rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                file.write(rest);
            }
            file.force(true);
        }
        rename(beside, path);
        syncDirectory(Objects.requireNonNull(path.toAbsolutePath().getParent(), "a file lies in a directory"));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void force(MemorySegment mapped) throws IOException {
        try {
            mapped.force();
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    @Override
    public MapBudget maps() {
        return maps;
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
        return DirectoryLock.take(directory);
    }
}
