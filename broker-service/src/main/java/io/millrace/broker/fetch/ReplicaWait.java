package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import org.jspecify.annotations.Nullable;

/// The fetch of a follower's session that found too little, and what ends its wait: a partition that moves, by one task at
/// the end of its event loop's turn; news, a moment later; or its time.
///
/// Any thread may call, also from inside of an append: nothing here takes a lock.
final class ReplicaWait {
    /// How long news without records wait for an answer with records that takes them along.
    private static final Duration NEWS_WAIT = Duration.ofMillis(10);
    private static final Duration THROTTLE_WAIT = Duration.ofMillis(100);

    private final Session session;
    private final Ticker ticker;
    /// The fetch that waits, until somebody takes it on: by [#wake] for the loop, or on it.
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    /// Goes up with each mark, before anybody is woken: whoever looked and then waits sees whether he has missed one.
    private final AtomicLong marks = new AtomicLong();
    private final AtomicBoolean newsCalled = new AtomicBoolean();
    private final AtomicBoolean alarmed = new AtomicBoolean();

    /// Whose fetch it is.
    interface Session {
        /// Looks again for what that fetch is to be answered with. On its loop.
        ///
        /// @param last whether it is answered with what there is
        void look(Waiting fetch, boolean last);

        /// Whether some high watermark or log start is not told yet.
        boolean hasNews();
    }

    /// What a fetch says besides its partitions.
    ///
    /// @param loop of its connection
    record Fetch(Loop loop, int minBytes, int maxBytes, Duration maxWait) {}

    /// A fetch that waits for more.
    record Waiting(Fetch fetch, CompletableFuture<List<Answered>> answer, long deadlineNanos) {}

    ReplicaWait(Session session, Ticker ticker) {
        this.session = session;
        this.ticker = ticker;
    }

    /// To be taken before a look, for [#begin].
    long marks() {
        return marks.get();
    }

    /// A partition moved, and can be found where the session looks for it.
    void moved() {
        marks.incrementAndGet();
        wake();
    }

    /// There is news of a partition.
    void news() {
        callForNews(waiting.get());
    }

    /// `fetch` found too little.
    ///
    /// @param seen [#marks] as they were before the look
    /// @param heldBack whether a throttle holds something back that it lets go later, without anything moving
    void begin(Waiting fetch, long seen, boolean heldBack) {
        waiting.set(fetch);
        fetch.answer().whenComplete((_, _) -> waiting.compareAndSet(fetch, null));
        alarm(fetch);
        if (heldBack) {
            later(fetch, THROTTLE_WAIT, this::wake);
        }
        if (session.hasNews()) {
            callForNews(fetch);
        }
        if (marks.get() != seen) {
            wake();
        }
    }

    /// Takes the fetch on, without an answer; null where none waits, or somebody has taken it on.
    @Nullable
    Waiting end() {
        return waiting.getAndSet(null);
    }

    private void wake() {
        var woken = end();
        if (woken != null) {
            run(woken, () -> session.look(woken, false));
        }
    }

    private void callForNews(@Nullable Waiting fetch) {
        if (fetch != null && newsCalled.compareAndSet(false, true)) {
            later(fetch, NEWS_WAIT, () -> {
                newsCalled.set(false);
                if (session.hasNews()) {
                    force();
                }
            });
        }
    }

    /// Answers the fetch that waits, with what there is. On the loop.
    private void force() {
        var forced = end();
        if (forced != null) {
            session.look(forced, true);
        }
    }

    /// One timer for all fetches of the session: it is not called off, but finds that there is nothing to do yet.
    private void alarm(Waiting fetch) {
        if (alarmed.compareAndSet(false, true)) {
            later(fetch, Duration.ofNanos(Math.max(0, fetch.deadlineNanos() - ticker.nanos())), this::alarmed);
        }
    }

    private void alarmed() {
        // Before it is looked who waits: whoever begins to wait after that sets the next alarm.
        alarmed.set(false);
        var now = waiting.get();
        if (now == null) {
            return;
        }
        if (ticker.nanos() - now.deadlineNanos() >= 0) {
            force();
        } else {
            alarm(now);
        }
    }

    private static void later(Waiting fetch, Duration wait, Runnable task) {
        try {
            fetch.fetch().loop().schedule(wait, task);
        } catch (RejectedExecutionException closed) {
            fetch.answer().completeExceptionally(closed);
        }
    }

    private static void run(Waiting fetch, Runnable task) {
        try {
            fetch.fetch().loop().execute(task);
        } catch (RejectedExecutionException closed) {
            fetch.answer().completeExceptionally(closed);
        }
    }
}
