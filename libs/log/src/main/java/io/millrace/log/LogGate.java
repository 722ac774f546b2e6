package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Who may change one log, and whether anybody may any more. Any thread may call.
@Slf4j
final class LogGate {
    private final LogRuntime runtime;
    /// Held while segments other than the active one come or go, over fsyncs too; taken before `lock`. So what the cleaner
    /// puts in place is never cut or deleted halfway. Appends do not take it.
    private final ReentrantLock structure = new ReentrantLock();
    /// Guards the writer, the segments' ends and the offsets; appends of several connections meet here. Never held over an
    /// fsync that a client waits for.
    private final ReentrantLock lock = new ReentrantLock();
    private final Path home;
    private volatile Path directory;
    // Two facts, not one state: a log that was closed may have failed before, and is then not marked clean.
    private volatile boolean closed;
    private volatile boolean failed;

    /// A change of the log, or a look at it.
    @FunctionalInterface
    interface Change<R> {
        R run() throws IOException;
    }

    /// The same without a failure.
    @FunctionalInterface
    interface Look<R extends @Nullable Object> {
        R run();
    }

    /// Work that may fail.
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    LogGate(Path directory, LogRuntime runtime) {
        this.home = directory;
        this.directory = directory;
        this.runtime = runtime;
    }

    Path directory() {
        return directory;
    }

    /// Its files are, or are about to be, under another path than before.
    void moved(Path to) {
        directory = to;
    }

    boolean isClosed() {
        return closed;
    }

    boolean hasFailed() {
        return failed;
    }

    /// Whether changes are taken.
    boolean isOpen() {
        return !closed && !failed;
    }

    /// @throws ClosedLogException where it is closed
    void checkNotClosed() throws IOException {
        if (closed) {
            throw new ClosedLogException(directory);
        }
    }

    /// @throws IOException where it is closed or has failed
    void checkUsable() throws IOException {
        checkNotClosed();
        if (failed) {
            throw new IOException("the disk under " + directory + " has failed before");
        }
    }

    /// No more changes. Called under the lock.
    ///
    /// @return false where that was so already
    boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /// Runs `change` under the lock, unless the log is closed or has failed. A failure is reported.
    <R> R change(Change<R> change) throws IOException {
        lock.lock();
        try {
            checkUsable();
            return change.run();
        } catch (IOException failure) {
            throw report(failure);
        } finally {
            lock.unlock();
        }
    }

    /// Runs `look` under the lock, whatever the state.
    <R extends @Nullable Object> R look(Look<R> look) {
        lock.lock();
        try {
            return look.run();
        } finally {
            lock.unlock();
        }
    }

    /// Runs `work` under the lock, whatever the state.
    <R> R locked(Change<R> work) throws IOException {
        lock.lock();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }

    /// Runs `work` while no segment comes or goes by another's hand, the active one's successors excepted.
    <R> R restructure(Change<R> work) throws IOException {
        structure.lock();
        try {
            return work.run();
        } finally {
            structure.unlock();
        }
    }

    /// Tells of a failure of the disk, once; returns it to be thrown.
    IOException report(IOException failure) {
        if (failure instanceof ClosedLogException || failed) {
            return failure;
        }
        if (!directory.equals(home)) {
            // A sync that was under way when the files went looks for them in vain: no failure of the disk.
            log.debug("the log went meanwhile: directory={}", directory, failure);
            return new ClosedLogException(directory);
        }
        failed = true;
        runtime.metrics().failed();
        log.error("the disk fails, the log takes no more changes: directory={}", directory, failure);
        runtime.failures().failed(directory, failure);
        return failure;
    }

    /// Runs `task` in the background; what it throws was reported where it happened.
    void inBackground(Work task) {
        try {
            runtime.background().execute(() -> {
                try {
                    task.run();
                } catch (IOException failure) {
                    log.debug("a background task ended with a failure that was reported: directory={}", directory,
                            failure);
                }
            });
        } catch (RejectedExecutionException _) {
            log.debug("no more background work while stopping: directory={}", directory);
        }
    }
}
