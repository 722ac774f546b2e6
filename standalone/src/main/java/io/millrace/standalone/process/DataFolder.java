package io.millrace.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.millrace.standalone.plan.ClusterPlan;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The folder of one cluster: data of each instance, logs, and who runs.
///
///     millrace.json          the version of this layout
///     run/cluster.json       the plan of the running cluster; gone when it is down
///     run/NAME.json          a process that was started
///     logs/NAME.log          what it printed
///     broker-0/ zookeeper-0/ the data of an instance
public final class DataFolder {

    /// Raised when an older Millrace could not read what a newer one wrote.
    static final int FORMAT = 1;

    private static final String MARK = "millrace.json";
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    private final Path root;
    private final JsonMapper json = JsonMapper.builder().build();

    private record Mark(int format) {}

    private DataFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    /// The folder for a cluster that is to start: made where it does not exist.
    ///
    /// @throws Failed if the folder holds something else, or was written by another version; nothing is changed then
    public static DataFolder create(Path root) {
        var folder = new DataFolder(root);
        try {
            if (Files.exists(folder.root) && !Files.isDirectory(folder.root)) {
                throw new Failed("not a folder: " + folder.root);
            }
            if (!Files.exists(folder.root.resolve(MARK))) {
                folder.refuseStrangeContent();
                Files.createDirectories(folder.root);
                folder.write(folder.root.resolve(MARK), new Mark(FORMAT));
            }
            folder.checkFormat();
            Files.createDirectories(folder.run());
            Files.createDirectories(folder.logs());
            return folder;
        } catch (IOException e) {
            throw new Failed("cannot use the data folder " + folder.root + ": " + e);
        }
    }

    /// The folder of a cluster that was started before.
    ///
    /// @throws Failed if there is none
    public static DataFolder open(Path root) {
        var folder = new DataFolder(root);
        if (!Files.exists(folder.root.resolve(MARK))) {
            throw new Failed(3, "no cluster has been started on " + folder.root);
        }
        folder.checkFormat();
        return folder;
    }

    private void refuseStrangeContent() throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (var content = Files.list(root)) {
            if (content.findAny().isPresent()) {
                throw new Failed("not a data folder of Millrace, and not empty: " + root);
            }
        }
    }

    private void checkFormat() {
        int format = read(root.resolve(MARK), Mark.class).map(Mark::format).orElseThrow();
        if (format != FORMAT) {
            throw new Failed("the data folder " + root + " has format " + format + ", and this version reads format "
                    + FORMAT + " only");
        }
    }

    /// Where it is, absolute.
    public Path root() {
        return root;
    }

    /// The log of a process.
    public Path log(String process) {
        return logs().resolve(process + ".log");
    }

    private Path logs() {
        return root.resolve("logs");
    }

    private Path run() {
        return root.resolve("run");
    }

    /// Keeps other commands from starting or ending processes of this cluster until it is closed.
    ///
    /// @throws Failed if another command does not give way within ten seconds
    public AutoCloseable lock() {
        try {
            FileChannel channel = FileChannel.open(run().resolve("lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (waitFor(channel) == null) {
                channel.close();
                throw new Failed("another command is at work on " + root);
            }
            return channel;
        } catch (IOException e) {
            throw new Failed("cannot lock " + root + ": " + e);
        }
    }

    private static @Nullable FileLock waitFor(FileChannel channel) throws IOException {
        long end = System.nanoTime() + LOCK_WAIT.toNanos();
        FileLock lock = channel.tryLock();
        while (lock == null && System.nanoTime() < end) {
            Pause.of(Duration.ofMillis(50));
            lock = channel.tryLock();
        }
        return lock;
    }

    /// @return the plan of the cluster that was started last and has not been taken down, or empty
    public Optional<ClusterPlan> plan() {
        return read(run().resolve("cluster.json"), ClusterPlan.class);
    }

    /// Remembers the plan until [#forgetPlan].
    public void remember(ClusterPlan plan) {
        write(run().resolve("cluster.json"), plan);
    }

    /// The cluster is down.
    public void forgetPlan() {
        delete(run().resolve("cluster.json"));
    }

    void remember(ProcessRecord process) {
        write(run().resolve(process.name() + ".json"), process);
    }

    void forget(ProcessRecord process) {
        delete(run().resolve(process.name() + ".json"));
    }

    Optional<ProcessRecord> process(String name) {
        return read(run().resolve(name + ".json"), ProcessRecord.class);
    }

    /// Every process on record, whether it still runs or not.
    List<ProcessRecord> processes() {
        var records = new ArrayList<ProcessRecord>();
        if (!Files.isDirectory(run())) {
            return records;
        }
        try (var files = Files.newDirectoryStream(run(), "*.json")) {
            for (Path file : files) {
                if (!file.endsWith("cluster.json")) {
                    read(file, ProcessRecord.class).ifPresent(records::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return records;
    }

    private <T> Optional<T> read(Path file, Class<T> type) {
        try {
            return Files.exists(file) ? Optional.of(json.readValue(file.toFile(), type)) : Optional.empty();
        } catch (JacksonException e) {
            throw new Failed("cannot read " + file + ": " + e.getOriginalMessage());
        }
    }

    /// In place of the old content at once, so that no reader sees half of it.
    private void write(Path file, Object content) {
        try {
            Path part = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
            Files.write(part, json.writeValueAsBytes(content));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new Failed("cannot write " + file + ": " + e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new Failed("cannot delete " + file + ": " + e);
        }
    }
}
