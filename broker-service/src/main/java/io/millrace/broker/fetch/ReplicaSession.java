package io.millrace.broker.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import io.millrace.base.loop.Ticker;
import io.millrace.broker.fetch.ReplicaWait.Fetch;
import io.millrace.broker.fetch.ReplicaWait.Waiting;
import io.millrace.broker.partition.FetchTimes;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.jspecify.annotations.Nullable;

/// The partitions that one follower fetches here (KIP-227). It is told by them when they move, and so an answer costs as
/// much as there are partitions that moved, however many there are.
///
/// A fetch that finds nothing waits ([ReplicaWait]). The first partition whose log end moves wakes it: what is appended until
/// its loop looks again goes with the same answer. A high watermark that moves alone goes with the next answer, which it calls
/// for a moment later.
///
/// Its methods hold the monitor, but for those that say "any thread": these run inside of someone else's append.
final class ReplicaSession implements ReplicaEntry.Marks, ReplicaWait.Session {
    private final ReplicaLook.Tools tools;
    private final ReplicaLook.Follower follower;
    private final boolean byTopicId;
    private final Ticker ticker;
    private final FetchTimes times;
    private final ReplicaEntries entries;
    private final ReplicaWait wait;
    private final Queue<ReplicaEntry> moved = new ConcurrentLinkedQueue<>();
    private final Queue<ReplicaEntry> news = new ConcurrentLinkedQueue<>();
    /// Looked at with more to come: not all had room, was sent without being confirmed, or sufficed.
    private final List<ReplicaEntry> unfinished = new ArrayList<>();
    /// The last fetch that had to wait; it may have been answered since.
    private @Nullable Waiting unanswered;
    private int epoch = 1;
    private volatile int size;
    private volatile long usedNanos;

    ReplicaSession(ReplicaLook.Tools tools, ReplicaLook.Follower follower, boolean byTopicId, Ticker ticker) {
        this.tools = tools;
        this.follower = follower;
        this.byTopicId = byTopicId;
        this.ticker = ticker;
        this.usedNanos = ticker.nanos();
        this.times = new FetchTimes(usedNanos);
        this.entries = new ReplicaEntries(this);
        this.wait = new ReplicaWait(this, ticker);
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
            entries.forget(request);
            var look = new ReplicaLook(tools, follower, times, fetch.maxBytes());
            entries.listed(request, names).forEach(entry -> {
                entry.unmark();
                look.at(entry);
            });
            size = entries.size();
            var begun = new Waiting(fetch, new CompletableFuture<>(), usedNanos + fetch.maxWait().toNanos());
            look(look, begun, !fetch.maxWait().isPositive());
            return begun.answer();
        }
    }

    /// Also one that was woken and is about to be looked at: it would begin to wait again, in the place of the next one, which
    /// would then wait for ever.
    private void answerOvertaken() {
        wait.end();
        var overtaken = unanswered;
        unanswered = null;
        if (overtaken != null) {
            look(overtaken, true);
        }
    }

    /// Leaves all partitions. A fetch that waits is answered with nothing.
    void close() {
        var last = wait.end();
        synchronized (this) {
            entries.leaveAll();
            size = 0;
        }
        if (last != null) {
            last.answer().complete(List.of());
        }
    }

    /// Any thread.
    @Override
    public void moved(ReplicaEntry entry) {
        moved.add(entry);
        wait.moved();
    }

    /// Any thread.
    @Override
    public void news(ReplicaEntry entry) {
        news.add(entry);
        wait.news();
    }

    /// Any thread.
    @Override
    public boolean hasNews() {
        return !news.isEmpty();
    }

    @Override
    public synchronized void look(Waiting fetch, boolean last) {
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
        long seen = wait.marks();
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
        wait.begin(fetch, seen, look.heldBack());
    }
}
