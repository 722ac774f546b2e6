package io.millrace.broker.fetch;

import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Progress;
import io.millrace.broker.partition.ReadLimit;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.jspecify.annotations.Nullable;

/// One partition of a follower's session: what the follower asks of it, what it was told last, and whether there is more.
///
/// Guarded by the session's monitor, but for the two marks: they are set by whoever moves the partition, and each puts the
/// entry into its queue once, however often the partition moves until the session looks.
final class ReplicaEntry {
    private final FetchKey key;
    private final Marks session;
    private final AtomicBoolean moved = new AtomicBoolean();
    private final AtomicBoolean news = new AtomicBoolean();
    private final Progress.Listener onLogEnd = new OnLogEnd();
    private final Progress.Listener onHighWatermark = new OnHighWatermark();
    private FetchItem item;
    private long logStartOffset;
    private @Nullable Partition partition;
    private long toldHighWatermark = -1;
    private long toldLogStart = -1;
    private @Nullable ReplicaLook lastLook;
    private boolean gone;

    /// Who looks at what is marked. Any thread calls, and each mark once.
    interface Marks {
        /// There may be something to read of `entry`, or its role changed.
        void moved(ReplicaEntry entry);

        /// The high watermark or the start of `entry` may be news.
        void news(ReplicaEntry entry);
    }

    /// @param logStartOffset of the follower's log; -1 where it does not say
    ReplicaEntry(FetchKey key, Marks session, FetchItem item, long logStartOffset) {
        this.key = key;
        this.session = session;
        this.item = item;
        this.logStartOffset = logStartOffset;
    }

    FetchKey key() {
        return key;
    }

    FetchItem item() {
        return item;
    }

    long logStartOffset() {
        return logStartOffset;
    }

    void ask(FetchItem asked, long startsAt) {
        item = asked;
        logStartOffset = startsAt;
    }

    /// Null where it was not found when it was looked for last.
    @Nullable
    Partition partition() {
        return partition;
    }

    /// Is told of what happens to `found`, and of no other partition any more.
    void watch(@Nullable Partition found) {
        var before = partition;
        if (before == found) {
            return;
        }
        if (before != null) {
            before.progress(ReadLimit.LOG_END).forget(onLogEnd);
            before.progress(ReadLimit.HIGH_WATERMARK).forget(onHighWatermark);
        }
        partition = found;
        if (found != null) {
            found.progress(ReadLimit.LOG_END).listen(onLogEnd);
            found.progress(ReadLimit.HIGH_WATERMARK).listen(onHighWatermark);
        }
    }

    /// It is no longer of the session.
    void leave() {
        gone = true;
        watch(null);
    }

    boolean gone() {
        return gone;
    }

    /// There may be something to read, or the role changed: the follower is answered at once. Any thread.
    void mark() {
        if (moved.compareAndSet(false, true)) {
            session.moved(this);
        }
    }

    /// The high watermark or the start may be news: the follower is told with the next answer. Any thread.
    void markNews() {
        if (news.compareAndSet(false, true)) {
            session.news(this);
        }
    }

    /// It is about to be looked at; what happens from now on marks it again.
    ///
    /// @return whether it was marked
    boolean unmark() {
        return moved.getAndSet(false);
    }

    /// As [#mark], but its session is not told.
    ///
    /// @return whether it was not marked
    boolean remark() {
        return moved.compareAndSet(false, true);
    }

    void unmarkNews() {
        news.set(false);
    }

    boolean isNews(long highWatermark, long logStart) {
        return highWatermark != toldHighWatermark || logStart != toldLogStart;
    }

    /// The follower was told `data`; after an error, whatever is good comes as news.
    void told(PartitionData data) {
        toldHighWatermark = data.highWatermark();
        toldLogStart = data.errorCode() == 0 ? data.logStartOffset() : -1;
    }

    /// Whether it is in that answer already.
    boolean isIn(ReplicaLook look) {
        return lastLook == look;
    }

    void in(ReplicaLook look) {
        lastLook = look;
    }

    private final class OnLogEnd implements Progress.Listener {
        @Override
        public void advanced(long bytes) {
            mark();
        }

        @Override
        public void changed() {
            mark();
        }
    }

    private final class OnHighWatermark implements Progress.Listener {
        @Override
        public void advanced(long bytes) {
            markNews();
        }

        @Override
        public void changed() {
            markNews();
        }
    }
}
