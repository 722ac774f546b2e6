package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;

/// The fetches that wait for bytes. There are at most so many: one more is answered at once with what there is.
final class FetchWaits {
    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();

    FetchWaits(int most) {
        this.most = most;
    }

    /// Completes, on `loop`, with the first look that suffices or the last before `maxWait` is over; at once where the
    /// first one suffices. Whoever cancels the future ends the wait. To be called on `loop`.
    ///
    /// @param minBytes what suffices
    /// @param look reads all partitions
    CompletableFuture<FetchRead> await(Loop loop, int minBytes, Duration maxWait, Supplier<FetchRead> look) {
        var first = look.get();
        if (first.suffices(minBytes) || !maxWait.isPositive()) {
            return CompletableFuture.completedFuture(first);
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(first);
        }
        first.release().run();
        var result = new CompletableFuture<FetchRead>();
        result.whenComplete((_, _) -> waiting.decrementAndGet());
        new FetchWait(loop, minBytes, first, look, result).start(maxWait, first);
        return result;
    }

    /// How many wait now.
    int count() {
        return waiting.get();
    }
}
