package io.millrace.log.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import lombok.extern.slf4j.Slf4j;

/// Deletes what may be large so that nobody notices. To free the pages of a gigabyte at once keeps a processor in the kernel
/// for a hundred milliseconds and more, and whoever has to append meanwhile waits. So a large file goes piece by piece from its
/// end, and after each piece, or as much in small files, comes a rest.
///
/// What is not gone when the process ends is still there: whoever finds it has to delete it. Any thread may call.
@Slf4j
public final class Remover {
    /// A thousandth of a second's work or two.
    static final long PIECE_BYTES = 8L << 20;
    private static final Duration REST = Duration.ofMillis(10);

    private final Disk disk;
    private final Background background;
    private final Deque<Removal> queue = new ArrayDeque<>();
    private boolean working;
    /// Bytes since the last rest. Touched by the one task that works.
    private long freed;

    /// @param held whether somebody still reads what is there; it keeps its bytes then, and goes at once
    /// @param opened of a directory: what lies in it comes before it
    private record Removal(Path path, BooleanSupplier held, Consumer<IOException> failed, boolean opened) {
        Removal open() {
            return new Removal(path, held, failed, true);
        }

        Removal of(String name) {
            return new Removal(path.resolve(name), held, failed, false);
        }
    }

    public Remover(Disk disk, Background background) {
        this.disk = disk;
        this.background = background;
    }

    /// Begins to delete a file, or a directory of files, in the background; nothing where it does not exist.
    ///
    /// @param held whether somebody may still be reading from it, who then gets all that was there
    /// @param failed told where it cannot be deleted, which is then given up
    public void remove(Path path, BooleanSupplier held, Consumer<IOException> failed) {
        synchronized (queue) {
            queue.add(new Removal(path, held, failed, false));
            if (working) {
                return;
            }
            working = true;
        }
        next(Duration.ZERO);
    }

    /// Has a file gone from its name when this returns. What is large goes under another name, in the background.
    ///
    /// @param failed told where that cannot be deleted
    public void discard(Path file, Consumer<IOException> failed) throws IOException {
        if (sizeOf(file) <= PIECE_BYTES) {
            disk.delete(file);
            return;
        }
        var aside = file.resolveSibling(UUID.randomUUID() + SegmentFiles.DELETED);
        try {
            disk.rename(file, aside);
            remove(aside, () -> false, failed);
        } catch (NoSuchFileException _) {
            log.debug("went meanwhile: file={}", file);
        }
    }

    private void next(Duration rest) {
        try {
            background.schedule(rest, this::work);
        } catch (RejectedExecutionException _) {
            log.debug("nothing more is deleted while stopping");
        }
    }

    private void work() {
        Removal first;
        synchronized (queue) {
            first = queue.poll();
            if (first == null) {
                working = false;
                return;
            }
        }
        var rest = Duration.ZERO;
        try {
            rest = work(first);
        } catch (IOException failure) {
            first.failed().accept(failure);
        }
        next(rest);
    }

    private Duration work(Removal first) throws IOException {
        if (disk.isDirectory(first.path()) && !first.opened()) {
            var names = disk.list(first.path());
            goOn(first.open());
            for (var name : names) {
                goOn(first.of(name));
            }
            return Duration.ZERO;
        }
        long size = sizeOf(first.path());
        if (size > PIECE_BYTES && !first.held().getAsBoolean()) {
            try (var file = disk.open(first.path())) {
                file.truncate(size - PIECE_BYTES);
            }
            freed += PIECE_BYTES;
            goOn(first);
        } else {
            disk.delete(first.path());
            freed += size;
        }
        if (freed < PIECE_BYTES) {
            return Duration.ZERO;
        }
        freed = 0;
        return REST;
    }

    private void goOn(Removal next) {
        synchronized (queue) {
            queue.addFirst(next);
        }
    }

    /// Of a file; 0 of anything else.
    private long sizeOf(Path path) throws IOException {
        return !disk.exists(path) || disk.isDirectory(path) ? 0 : disk.size(path);
    }
}
