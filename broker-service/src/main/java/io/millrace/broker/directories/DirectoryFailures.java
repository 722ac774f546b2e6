package io.millrace.broker.directories;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.millrace.log.LogRuntime;
import lombok.extern.slf4j.Slf4j;

/// Which log directories failed. One failure of a disk takes the whole directory out of use until the process starts
/// again, as in Kafka: what a disk gave once after it failed cannot be trusted.
@Slf4j
public final class DirectoryFailures implements LogRuntime.FailureListener {
    private final Executor work;
    private final Set<Path> failed = ConcurrentHashMap.newKeySet();
    private final List<Consumer<Path>> listeners = new CopyOnWriteArrayList<>();

    /// @param work where listeners are told
    public DirectoryFailures(Executor work) {
        this.work = work;
    }

    /// `listener` is told of each directory that fails, once.
    public void onFailure(Consumer<Path> listener) {
        listeners.add(listener);
    }

    /// @param directory of the log that met the failure
    @Override
    public void failed(Path directory, IOException failure) {
        var logDirectory = directory.toAbsolutePath().getParent();
        if (failed.add(logDirectory)) {
            log.error("log directory failed directory={} log={}: it is out of use until the next start", logDirectory,
                    directory.getFileName(), failure);
            listeners.forEach(listener -> work.execute(() -> listener.accept(logDirectory)));
        }
    }

    /// That one of `log.dirs` could not be opened when the broker started.
    void failedAtStart(Path logDirectory, IOException failure) {
        failed.add(logDirectory.toAbsolutePath());
        log.error(
                "log directory failed directory={}: it is out of use until the next start, and so are the replicas that "
                        + "lie there", logDirectory, failure);
    }

    /// Whether that one of `log.dirs` failed.
    public boolean hasFailed(Path logDirectory) {
        return failed.contains(logDirectory.toAbsolutePath());
    }

    /// How many failed.
    public int count() {
        return failed.size();
    }
}
