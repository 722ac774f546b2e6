package io.millrace.broker.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.jspecify.annotations.Nullable;

/// What a follower fetches here, as its requests have told so far. Guarded by the session's monitor.
final class ReplicaEntries {
    private final ReplicaEntry.Marks marks;
    private final Map<FetchKey, ReplicaEntry> entries = new LinkedHashMap<>();

    /// @param marks told by the entries when their partitions move
    ReplicaEntries(ReplicaEntry.Marks marks) {
        this.marks = marks;
    }

    int size() {
        return entries.size();
    }

    /// Leaves those that the request no longer wants.
    void forget(FetchRequestData request) {
        for (var topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                var entry = entries.remove(new FetchKey(topic.topic(), topic.topicId(), partition));
                if (entry != null) {
                    entry.leave();
                }
            }
        }
    }

    /// Takes in those that the request names.
    ///
    /// @param names the name of a topic id, null where it is unknown
    List<ReplicaEntry> listed(FetchRequestData request, Function<Uuid, @Nullable String> names) {
        var listed = new ArrayList<ReplicaEntry>();
        for (var topic : request.topics()) {
            for (var asked : topic.partitions()) {
                var key = new FetchKey(topic.topic(), topic.topicId(), asked.partition());
                var entry = entries.get(key);
                var item = FetchItem.of(key, entry == null ? FetchSession.nameOf(key, names) : entry.item().topic(),
                        asked);
                if (entry == null) {
                    entry = new ReplicaEntry(key, marks, item, asked.logStartOffset());
                    entries.put(key, entry);
                } else {
                    entry.ask(item, asked.logStartOffset());
                }
                listed.add(entry);
            }
        }
        return listed;
    }

    void leaveAll() {
        entries.values().forEach(ReplicaEntry::leave);
        entries.clear();
    }
}
