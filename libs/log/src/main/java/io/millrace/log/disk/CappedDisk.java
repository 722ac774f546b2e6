package io.millrace.log.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.millrace.base.check.Check;

/// A disk that has only so many files mapped, and keeps only so many open: one is opened when it is first used, and closed again, when others are to be
/// opened, after nobody has used it for a while. More are open only while more are held ([LogFile#hold]) or in use at once.
///
/// What fails while the kernel writes a file that is closed meanwhile is told by the next fsync of it: Linux keeps that for
/// whoever opens it next.
public final class CappedDisk implements Disk {
    /// How many files are looked at for one to close, when one is opened.
    private static final int LOOKS = 32;

    private final Disk disk;
    private final int most;
    private final MapBudget maps;
    /// Those that are open, the one that was opened or spared last at the end. Guarded by its monitor.
    private final Set<CappedFile> open = new LinkedHashSet<>();

    /// @param most open files
    /// @param mostMaps mapped files
    public CappedDisk(Disk disk, int most, int mostMaps) {
        Check.argument(most > 0, "most=%d", most);
        this.maps = new MapBudget(mostMaps);
        this.disk = disk;
        this.most = most;
    }

    /// How many files are open.
    public int openFiles() {
        synchronized (open) {
            return open.size();
        }
    }

    void opened(CappedFile file) {
        synchronized (open) {
            open.add(file);
            for (int look = 0; look < LOOKS && open.size() > most; look++) {
                var oldest = open.iterator().next();
                open.remove(oldest);
                if (oldest.equals(file) || !oldest.closeIfIdle()) {
                    open.add(oldest);
                }
            }
        }
    }

    void closed(CappedFile file) {
        synchronized (open) {
            open.remove(file);
        }
    }

    /// The file is created where it is missing, and opened when it is first used.
    @Override
    public LogFile open(Path path) throws IOException {
        if (!disk.exists(path)) {
            disk.open(path).close();
        }
        return new CappedFile(this, disk, path);
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public long size(Path path) throws IOException {
        return disk.size(path);
    }

    @Override
    public long lastModified(Path path) throws IOException {
        return disk.lastModified(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        disk.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.delete(path);
    }

    @Override
    public byte[] read(Path path) throws IOException {
        return disk.read(path);
    }

    @Override
    public void replace(Path path, byte[] content) throws IOException {
        disk.replace(path, content);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        disk.syncDirectory(directory);
    }

    @Override
    public void force(MemorySegment mapped) throws IOException {
        disk.force(mapped);
    }

    @Override
    public MapBudget maps() {
        return maps;
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
        return disk.lock(directory);
    }
}
