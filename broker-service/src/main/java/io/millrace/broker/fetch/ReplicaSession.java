package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.partition.FetchTimes;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.jspecify.annotations.Nullable;

/// The partitions that one follower fetches here (KIP-227). It is told by them when they move, and so an answer costs as
/// much as there are partitions that moved, however many there are.
///
/// A fetch that finds nothing waits. The first partition whose log end moves wakes it, by one task at the end of its event
/// loop's turn: what is appended until that runs goes with the same answer. A high watermark that moves alone goes with the
/// next answer, which it calls for a moment later.
///
/// Its methods hold the monitor, but for those that say "any thread": these run inside of someone else's append.
final class ReplicaSession {
    /// How long news without records wait for an answer with records that takes them along.
    private static final Duration NEWS_WAIT = Duration.ofMillis(10);
    private static final Duration THROTTLE_WAIT = Duration.ofMillis(100);

    private final ReplicaLook.Tools tools;
    private final ReplicaLook.Follower follower;
    private final boolean byTopicId;
    private final Ticker ticker;
    private final FetchTimes times;
    private final Map<FetchKey, ReplicaEntry> entries = new LinkedHashMap<>();
    private final Queue<ReplicaEntry> moved = new ConcurrentLinkedQueue<>();
    private final Queue<ReplicaEntry> news = new ConcurrentLinkedQueue<>();
    /// The fetch that waits, until somebody takes it on: by [#wake] for the loop, or on it.
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    /// Goes up with each mark, before anybody is woken: whoever looked and then waits sees whether he has missed one.
    private final AtomicLong marks = new AtomicLong();
    private final AtomicBoolean newsCalled = new AtomicBoolean();
    /// Looked at with more to come: not all had room, was sent without being confirmed, or sufficed.
    private final List<ReplicaEntry> unfinished = new ArrayList<>();
    /// The last fetch that had to wait; it may have been answered since.
    private @Nullable Waiting unanswered;
    private boolean alarmed;
    private int epoch = 1;
    private volatile int size;
    private volatile long usedNanos;

    /// A fetch that waits for more.
    private record Waiting(Fetch fetch, CompletableFuture<List<Answered>> answer, long deadlineNanos) {}

    /// What a fetch says besides its partitions.
    ///
    /// @param loop of its connection
    record Fetch(Loop loop, int minBytes, int maxBytes, Duration maxWait) {}

    ReplicaSession(ReplicaLook.Tools tools, ReplicaLook.Follower follower, boolean byTopicId, Ticker ticker) {
        this.tools = tools;
        this.follower = follower;
        this.byTopicId = byTopicId;
        this.ticker = ticker;
        this.usedNanos = ticker.nanos();
        this.times = new FetchTimes(usedNanos);
    }

    ReplicaLook.Follower follower() {
        return follower;
    }

    boolean byTopicId() {
        return byTopicId;
    }

    /// How many partitions it holds. Any thread.
    int size() {
        return size;
    }

    /// When it fetched last. Any thread.
    long usedNanos() {
        return usedNanos;
    }

    /// Whether a request of that epoch is the next one, which is then the last of that epoch.
    synchronized boolean advance(int requestEpoch) {
        if (requestEpoch != epoch) {
            return false;
        }
        epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        return true;
    }

    /// Takes in what the request says of partitions, notes how far the follower is with them, and answers with what it does
    /// not have; a fetch of this session that waits is answered first, with what there is. Whoever cancels the future ends
    /// the wait. On the loop of the connection.
    ///
    /// @param names the name of a topic id, null where it is unknown
    CompletableFuture<List<Answered>> fetch(FetchRequestData request, Fetch fetch,
            Function<Uuid, @Nullable String> names) {
        synchronized (this) {
            answerOvertaken();
            usedNanos = ticker.nanos();
            times.fetched(usedNanos);
            takeUp();
            forget(request);
            var look = new ReplicaLook(tools, follower, times, fetch.maxBytes());
            listed(request, names).forEach(entry -> {
                entry.unmark();
                look.at(entry);
            });
            var begun = new Waiting(fetch, new CompletableFuture<>(), usedNanos + fetch.maxWait().toNanos());
            look(look, begun, !fetch.maxWait().isPositive());
            return begun.answer();
        }
    }

    /// Also one that was woken and is about to be looked at: it would begin to wait again, in the place of the next one, which
    /// would then wait for ever.
    private void answerOvertaken() {
        waiting.set(null);
        var overtaken = unanswered;
        unanswered = null;
        if (overtaken != null) {
            look(overtaken, true);
        }
    }

    /// Leaves all partitions. A fetch that waits is answered with nothing.
    void close() {
        var last = waiting.getAndSet(null);
        synchronized (this) {
            entries.values().forEach(ReplicaEntry::leave);
            entries.clear();
            size = 0;
        }
        if (last != null) {
            last.answer().complete(List.of());
        }
    }

    /// Any thread.
    void moved(ReplicaEntry entry) {
        moved.add(entry);
        marks.incrementAndGet();
        wake();
    }

    /// Any thread.
    void news(ReplicaEntry entry) {
        news.add(entry);
        callForNews(waiting.get());
    }

    private void wake() {
        var woken = waiting.getAndSet(null);
        if (woken != null) {
            run(woken, () -> look(woken, false));
        }
    }

    private void callForNews(@Nullable Waiting fetch) {
        if (fetch != null && newsCalled.compareAndSet(false, true)) {
            later(fetch, NEWS_WAIT, () -> {
                newsCalled.set(false);
                if (!news.isEmpty()) {
                    force();
                }
            });
        }
    }

    /// Answers the fetch that waits, with what there is. On the loop.
    private void force() {
        var forced = waiting.getAndSet(null);
        if (forced != null) {
            look(forced, true);
        }
    }

    private synchronized void look(Waiting fetch, boolean last) {
        takeUp();
        look(new ReplicaLook(tools, follower, times, fetch.fetch().maxBytes()), fetch, last);
    }

    /// What was not finished is looked at again.
    private void takeUp() {
        for (var entry : unfinished) {
            if (entry.remark()) {
                moved.add(entry);
            }
        }
        unfinished.clear();
    }

    private void look(ReplicaLook look, Waiting fetch, boolean last) {
        if (fetch.answer().isDone()) {
            return;
        }
        long seen = marks.get();
        while (look.hasRoom()) {
            var entry = moved.poll();
            if (entry == null) {
                break;
            }
            // Before it is read: what happens from now on is seen, or marks it again. One that is not marked was read as one
            // of the request's own.
            if (entry.unmark() && !entry.gone()) {
                look.at(entry);
            }
        }
        if (last || look.suffices(fetch.fetch().minBytes())) {
            finish(look, fetch);
        } else {
            await(look, fetch, seen);
        }
    }

    private void finish(ReplicaLook look, Waiting fetch) {
        for (var entry = news.poll(); entry != null; entry = news.poll()) {
            entry.unmarkNews();
            if (!entry.gone()) {
                look.news(entry);
            }
        }
        unfinished.addAll(look.unfinished());
        look.sent();
        if (!fetch.answer().complete(look.answers())) {
            look.drop();
        }
    }

    private void await(ReplicaLook look, Waiting fetch, long seen) {
        look.drop();
        // Too little to be sent: it is looked at again with the rest.
        unfinished.addAll(look.unfinished());
        unanswered = fetch;
        waiting.set(fetch);
        fetch.answer().whenComplete((_, _) -> waiting.compareAndSet(fetch, null));
        alarm(fetch);
        if (look.heldBack()) {
            later(fetch, THROTTLE_WAIT, this::wake);
        }
        if (!news.isEmpty()) {
            callForNews(fetch);
        }
        if (marks.get() != seen) {
            wake();
        }
    }

    /// One timer for all fetches of the session: it is not called off, but finds that there is nothing to do yet.
    private void alarm(Waiting fetch) {
        if (!alarmed) {
            alarmed = true;
            later(fetch, Duration.ofNanos(Math.max(0, fetch.deadlineNanos() - ticker.nanos())), this::alarmed);
        }
    }

    private void alarmed() {
        synchronized (this) {
            alarmed = false;
        }
        var now = waiting.get();
        if (now == null) {
            return;
        }
        if (ticker.nanos() - now.deadlineNanos() >= 0) {
            force();
        } else {
            synchronized (this) {
                alarm(now);
            }
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

    private void forget(FetchRequestData request) {
        for (var topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                var entry = entries.remove(new FetchKey(topic.topic(), topic.topicId(), partition));
                if (entry != null) {
                    entry.leave();
                }
            }
        }
        size = entries.size();
    }

    private List<ReplicaEntry> listed(FetchRequestData request, Function<Uuid, @Nullable String> names) {
        var listed = new ArrayList<ReplicaEntry>();
        for (var topic : request.topics()) {
            for (var asked : topic.partitions()) {
                var key = new FetchKey(topic.topic(), topic.topicId(), asked.partition());
                var entry = entries.get(key);
                var item = FetchItem.of(key, entry == null ? FetchSession.nameOf(key, names) : entry.item().topic(),
                        asked);
                if (entry == null) {
                    entry = new ReplicaEntry(key, this, item, asked.logStartOffset());
                    entries.put(key, entry);
                } else {
                    entry.ask(item, asked.logStartOffset());
                }
                listed.add(entry);
            }
        }
        size = entries.size();
        return listed;
    }
}
