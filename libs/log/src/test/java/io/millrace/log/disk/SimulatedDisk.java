package io.millrace.log.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/// A machine's disks in memory. They outlive its processes: a killed one leaves all that it wrote, a loss of power only
/// what was synced and a random part of the rest, of files as of directories. Directories can be made to fail. For one
/// thread.
public final class SimulatedDisk implements Disk {
    private final Clock clock;
    private final MapBudget maps = new MapBudget(Integer.MAX_VALUE);
    private final Directory root = new Directory();
    private final Set<Path> locked = new HashSet<>();
    private final Set<Path> failing = new HashSet<>();
    private final IdentityHashMap<byte[], SimulatedFile> mapped = new IdentityHashMap<>();

    private static final class Directory {
        private final TreeMap<String, Object> entries = new TreeMap<>();
        /// Takes back what was done since the last sync, newest last.
        private final List<Runnable> unsynced = new ArrayList<>();
    }

    /// @param clock for the times of files
    public SimulatedDisk(Clock clock) {
        this.clock = clock;
    }

    /// The process that used it ended, however it ended.
    public void processEnded() {
        locked.clear();
    }

    /// The machine's power goes.
    public void losePower(RandomGenerator random) {
        processEnded();
        mapped.clear();
        losePower(root, random);
    }

    private static void losePower(Directory directory, RandomGenerator random) {
        int lost = random.nextInt(directory.unsynced.size() + 1);
        for (int i = 0; i < lost; i++) {
            directory.unsynced.removeLast().run();
        }
        directory.unsynced.clear();
        for (var entry : directory.entries.values()) {
            if (entry instanceof Directory below) {
                losePower(below, random);
            } else {
                ((SimulatedFile) entry).losePower(random);
            }
        }
    }

    /// Everything in that directory fails from now on.
    public void fail(Path directory) {
        failing.add(directory);
    }

    /// Every directory works again.
    public void repair() {
        failing.clear();
    }

    /// Has somebody look at what is there, though the process that uses it cannot.
    public void inspect(Runnable look) {
        var failed = Set.copyOf(failing);
        failing.clear();
        try {
            look.run();
        } finally {
            failing.addAll(failed);
        }
    }

    private void check(Path path) throws IOException {
        if (!failing.isEmpty() && failing.stream().anyMatch(path::startsWith)) {
            throw new IOException("simulated failure of the disk at " + path);
        }
    }

    private @Nullable Object find(Path path) {
        Object at = root;
        for (var name : path) {
            if (!(at instanceof Directory directory)) {
                return null;
            }
            at = directory.entries.get(name.toString());
        }
        return at;
    }

    private Directory parentOf(Path path) throws IOException {
        var parent = path.getParent();
        if (parent != null && find(parent) instanceof Directory directory) {
            return directory;
        }
        throw new NoSuchFileException(path.toString());
    }

    private static String nameOf(Path path) {
        return Objects.requireNonNull(path.getFileName(), "no name").toString();
    }

    private static void put(Directory directory, String name, @Nullable Object entry) {
        var before = directory.entries.get(name);
        directory.unsynced.add(() -> set(directory, name, before));
        set(directory, name, entry);
    }

    private static void set(Directory directory, String name, @Nullable Object entry) {
        if (entry == null) {
            directory.entries.remove(name);
        } else {
            directory.entries.put(name, entry);
        }
    }

    private SimulatedFile file(Path path) throws IOException {
        check(path);
        if (find(path) instanceof SimulatedFile file) {
            return file;
        }
        throw new NoSuchFileException(path.toString());
    }

    @Override
    public LogFile open(Path path) throws IOException {
        check(path);
        if (find(path) instanceof SimulatedFile file) {
            return new Open(path, file);
        }
        var made = new SimulatedFile();
        made.changed(clock.millis());
        put(parentOf(path), nameOf(path), made);
        return new Open(path, made);
    }

    @Override
    public boolean exists(Path path) {
        return find(path) != null;
    }

    @Override
    public long size(Path path) throws IOException {
        return file(path).size();
    }

    @Override
    public long lastModified(Path path) throws IOException {
        return file(path).modifiedMillis();
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        check(directory);
        return find(directory) instanceof Directory found ? List.copyOf(found.entries.keySet()) : List.of();
    }

    @Override
    public boolean isDirectory(Path path) {
        return find(path) instanceof Directory;
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        check(directory);
        var at = root;
        for (var name : directory) {
            if (at.entries.get(name.toString()) instanceof Directory there) {
                at = there;
            } else {
                var made = new Directory();
                put(at, name.toString(), made);
                at = made;
            }
        }
    }

    /// Of a rename between two directories a loss of power may leave one half only; logs rename within one.
    @Override
    public void rename(Path from, Path to) throws IOException {
        check(from);
        check(to);
        var entry = find(from);
        if (entry == null) {
            throw new NoSuchFileException(from.toString());
        }
        var source = parentOf(from);
        var target = parentOf(to);
        var replaced = target.entries.get(nameOf(to));
        set(source, nameOf(from), null);
        set(target, nameOf(to), entry);
        target.unsynced.add(() -> {
            set(target, nameOf(to), replaced);
            set(source, nameOf(from), entry);
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        check(path);
        var entry = find(path);
        if (entry == null) {
            return;
        }
        if (entry instanceof Directory directory) {
            for (var name : List.copyOf(directory.entries.keySet())) {
                delete(path.resolve(name));
            }
        }
        put(parentOf(path), nameOf(path), null);
    }

    @Override
    public byte[] read(Path path) throws IOException {
        return file(path).content();
    }

    @Override
    public void replace(Path path, byte[] content) throws IOException {
        check(path);
        var made = new SimulatedFile();
        made.changed(clock.millis());
        made.set(content);
        made.sync();
        var directory = parentOf(path);
        set(directory, nameOf(path), made);
        directory.unsynced.clear();
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        check(directory);
        if (find(directory) instanceof Directory found) {
            found.unsynced.clear();
        }
    }

    @Override
    public void force(MemorySegment part) {
        part.heapBase().map(mapped::get).ifPresent(SimulatedFile::sync);
    }

    @Override
    public MapBudget maps() {
        return maps;
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
        check(directory);
        if (!locked.add(directory)) {
            throw new ForeignDirectoryException("the log directory " + directory + " is in use by another broker");
        }
        return () -> locked.remove(directory);
    }

    private final class Open implements LogFile {
        private final Path path;
        private final SimulatedFile file;

        Open(Path path, SimulatedFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            check(path);
            int at = Math.toIntExact(position);
            int count = source.remaining();
            if (at + count > file.size()) {
                file.resize(at + count);
            }
            source.get(file.bytes(), at, count);
            file.changed(clock.millis());
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            check(path);
            int count = (int) Math.max(0, Math.min(target.remaining(), file.size() - position));
            target.put(file.bytes(), (int) position, count);
            return count;
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            check(path);
            if (size < file.size()) {
                file.resize(Math.toIntExact(size));
                file.changed(clock.millis());
            }
        }

        @Override
        public void resize(long size) throws IOException {
            check(path);
            file.resize(Math.toIntExact(size));
            file.changed(clock.millis());
        }

        @Override
        public void sync() throws IOException {
            check(path);
            file.sync();
        }

        @Override
        public MemorySegment map(long size, Arena arena) throws IOException {
            check(path);
            file.mapped();
            mapped.put(file.bytes(), file);
            return MemorySegment.ofArray(file.bytes()).asSlice(0, size);
        }

        @Override
        public FileChannel channel() {
            return new SimulatedChannel(this);
        }

        @Override
        public void close() {
            // The bytes stay with whoever still reads them.
        }
    }
}
