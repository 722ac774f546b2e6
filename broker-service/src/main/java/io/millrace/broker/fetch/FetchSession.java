package io.millrace.broker.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.jspecify.annotations.Nullable;

/// The partitions that one consumer polls, and what it was last told of each, so that it need not repeat them and is told
/// only of what changed.
///
/// Its methods hold the session's own lock: a client uses it from one connection at a time, but nothing makes it do so.
final class FetchSession {
    /// Stands for no session.
    static final int NO_ID = 0;
    /// Asks for a new session, or for all partitions once more.
    static final int INITIAL_EPOCH = 0;
    /// Asks for all partitions and for no session.
    static final int FINAL_EPOCH = -1;

    private final int id;
    private final boolean byTopicId;
    private final long createdNanos;
    private final Map<FetchKey, Entry> entries = new LinkedHashMap<>();
    private int epoch = next(INITIAL_EPOCH);
    private volatile int size;

    private static final class Entry {
        private FetchItem item;
        private long highWatermark;
        private long logStartOffset;

        Entry(FetchItem item, long highWatermark, long logStartOffset) {
            this.item = item;
            this.highWatermark = highWatermark;
            this.logStartOffset = logStartOffset;
        }
    }

    /// @param answers the first, full answer: one for each of `items`, in their order
    FetchSession(int id, boolean byTopicId, long createdNanos, List<FetchItem> items,
            List<PartitionData> answers) {
        this.id = id;
        this.byTopicId = byTopicId;
        this.createdNanos = createdNanos;
        for (int i = 0; i < items.size(); i++) {
            var answer = answers.get(i);
            entries.put(items.get(i).key(), new Entry(items.get(i), answer.errorCode() == 0
                    ? answer.highWatermark()
                    : -1,
                    answer.logStartOffset()));
        }
        size = entries.size();
    }

    int id() {
        return id;
    }

    boolean byTopicId() {
        return byTopicId;
    }

    long createdNanos() {
        return createdNanos;
    }

    /// How many partitions it holds. Any thread.
    int size() {
        return size;
    }

    /// Takes in what an incremental request adds, changes and forgets, and moves to the next epoch.
    ///
    /// @param names the name of a topic id, null where it is unknown
    /// @return null where `requestEpoch` is not the one expected; then nothing has changed
    synchronized @Nullable List<FetchItem> advance(int requestEpoch, FetchRequestData request,
            Function<Uuid, @Nullable String> names) {
        if (requestEpoch != epoch) {
            return null;
        }
        for (var topic : request.topics()) {
            for (var partition : topic.partitions()) {
                var key = new FetchKey(topic.topic(), topic.topicId(), partition.partition());
                var known = entries.get(key);
                if (known == null) {
                    var item = FetchItem.of(key, nameOf(key, names), partition);
                    entries.put(key, new Entry(item, -1, -1));
                } else {
                    known.item = FetchItem.of(key, known.item.topic(), partition);
                }
            }
        }
        for (var topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                entries.remove(new FetchKey(topic.topic(), topic.topicId(), partition));
            }
        }
        epoch = next(epoch);
        size = entries.size();
        return items(names);
    }

    /// What its next request must carry.
    synchronized int epoch() {
        return epoch;
    }

    /// Keeps what must be told and drops the rest: a partition is told of where it has records, an error, a diverging
    /// epoch or a preferred replica, or where its high watermark or start moved since it was last told of.
    ///
    /// @return null where the session has moved on since `planEpoch`: the answer has been overtaken
    synchronized @Nullable List<Answered> changed(int planEpoch, List<Answered> answers) {
        if (planEpoch != epoch) {
            return null;
        }
        var told = new ArrayList<Answered>();
        for (var answer : answers) {
            var entry = entries.get(answer.item().key());
            if (entry != null && mustTell(entry, answer.data())) {
                told.add(answer);
            }
        }
        for (var answer : told) {
            if (answer.data().records() != null && answer.data().records().sizeInBytes() > 0) {
                moveToEnd(answer.item().key());
            }
        }
        return told;
    }

    private List<FetchItem> items(Function<Uuid, @Nullable String> names) {
        var items = new ArrayList<FetchItem>(entries.size());
        for (var entry : entries.values()) {
            var item = entry.item;
            if (item.topic().isEmpty()) {
                entry.item = item = new FetchItem(item.key(), nameOf(item.key(), names), item.fetchOffset(),
                        item.currentLeaderEpoch(), item.lastFetchedEpoch(), item.maxBytes());
            }
            items.add(item);
        }
        return items;
    }

    private static boolean mustTell(Entry entry, PartitionData answer) {
        boolean moved = entry.highWatermark != answer.highWatermark()
                || entry.logStartOffset != answer.logStartOffset();
        boolean tell = moved || answer.errorCode() != 0 || answer.preferredReadReplica() >= 0
                || answer.divergingEpoch().epoch() >= 0
                || (answer.records() != null && answer.records().sizeInBytes() > 0);
        // After an error the next good answer is always told, so that the client learns that the error is over.
        entry.highWatermark = answer.errorCode() == 0 ? answer.highWatermark() : -1;
        entry.logStartOffset = answer.logStartOffset();
        return tell;
    }

    /// A partition that gave records goes last, so that the bytes of an answer are shared fairly over time.
    private void moveToEnd(FetchKey key) {
        var entry = entries.remove(key);
        if (entry != null) {
            entries.put(key, entry);
        }
    }

    private static int next(int epoch) {
        return epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
    }

    static String nameOf(FetchKey key, Function<Uuid, @Nullable String> names) {
        if (!key.byId()) {
            return key.topic();
        }
        var name = names.apply(key.topicId());
        return name == null ? "" : name;
    }
}
