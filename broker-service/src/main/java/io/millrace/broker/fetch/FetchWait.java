package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.broker.partition.Progress;
import org.jspecify.annotations.Nullable;

/// One fetch that found too little. It counts what the partitions gain and looks again, on its loop, once that suffices,
/// a partition's role changed, or its time is over. What it counts is only a hint (a partition may be capped, an append
/// may be seen twice): looking decides.
final class FetchWait implements Progress.Listener {
    private final Loop loop;
    private final int minBytes;
    private final Supplier<FetchRead> look;
    private final CompletableFuture<FetchRead> result;
    private final List<FetchRead.Watched> watched;
    /// Bytes until a look is worth while; at or below zero a look is due or under way.
    private final AtomicLong missing;
    private @Nullable Timeout deadline;

    /// @param look reads all partitions again; called on `loop`
    /// @param result whoever cancels it ends the wait
    FetchWait(Loop loop, int minBytes, FetchRead first, Supplier<FetchRead> look, CompletableFuture<FetchRead> result) {
        this.loop = loop;
        this.minBytes = minBytes;
        this.look = look;
        this.result = result;
        this.watched = first.watched();
        this.missing = new AtomicLong(minBytes - first.bytes());
    }

    /// Begins to wait. On the loop, once.
    void start(Duration maxWait, FetchRead first) {
        for (var partition : watched) {
            partition.progress().listen(this);
        }
        deadline = loop.schedule(maxWait, this::expire);
        result.whenComplete((_, _) -> stop());
        if (first.stale()) {
            lookAgain();
        }
    }

    @Override
    public void advanced(long bytes) {
        long before = missing.getAndAdd(-bytes);
        if (before > 0 && before <= bytes) {
            wake();
        }
    }

    @Override
    public void changed() {
        if (missing.getAndSet(0) > 0) {
            wake();
        }
    }

    private void lookAgain() {
        if (result.isDone()) {
            return;
        }
        // Set before reading: what comes meanwhile is counted twice rather than never, and then looked at once more.
        missing.set(minBytes);
        var read = tryLook();
        if (read == null) {
            return;
        }
        if (read.suffices(minBytes)) {
            finish(read);
            return;
        }
        read.release().run();
        if (missing.addAndGet(-read.bytes()) <= 0) {
            wake();
        }
    }

    /// Must not fail: it runs inside of someone else's append.
    private void wake() {
        try {
            loop.execute(this::lookAgain);
        } catch (RejectedExecutionException closed) {
            result.completeExceptionally(closed);
        }
    }

    private void expire() {
        if (!result.isDone()) {
            var read = tryLook();
            if (read != null) {
                finish(read);
            }
        }
    }

    private @Nullable FetchRead tryLook() {
        try {
            return look.get();
        } catch (RuntimeException failure) {
            result.completeExceptionally(failure);
            return null;
        }
    }

    private void finish(FetchRead read) {
        if (!result.complete(read)) {
            read.release().run();
        }
    }

    private void stop() {
        for (var partition : watched) {
            partition.progress().forget(this);
        }
        if (deadline != null) {
            deadline.cancel();
        }
    }
}
