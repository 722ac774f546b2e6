package io.millrace.coordinator.offsets;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.jspecify.annotations.Nullable;

/// The offsets that one group has committed and that are stored. Belongs to the shard's loop.
public final class GroupOffsets {
    private final Map<String, Map<Integer, CommittedOffset>> byTopic = new HashMap<>();
    private int size;

    /// Takes over a commit that is stored.
    public void put(String topic, int partition, CommittedOffset value) {
        var before = byTopic.computeIfAbsent(topic, _ -> new TreeMap<>()).put(partition, value);
        size += before == null ? 1 : 0;
    }

    /// Takes over a removal that is stored; harmless where there is nothing.
    public void remove(String topic, int partition) {
        var partitions = byTopic.get(topic);
        if (partitions != null && partitions.remove(partition) != null) {
            size--;
            if (partitions.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /// What was committed for a partition, if anything.
    public Optional<CommittedOffset> of(String topic, int partition) {
        return Optional.ofNullable(partitions(topic).get(partition));
    }

    /// The topics with any commit.
    public Set<String> topics() {
        return Collections.unmodifiableSet(byTopic.keySet());
    }

    /// A topic's commits by partition, in order.
    public Map<Integer, CommittedOffset> partitions(String topic) {
        @Nullable
        Map<Integer, CommittedOffset> found = byTopic.get(topic);
        return found == null ? Map.of() : Collections.unmodifiableMap(found);
    }

    /// Number of partitions with a commit.
    public int size() {
        return size;
    }

    /// Whether nothing is committed.
    public boolean isEmpty() {
        return size == 0;
    }

    /// Wall time of the youngest commit; empty where nothing is committed.
    public OptionalLong lastCommitMillis() {
        return byTopic.values().stream().flatMap(partitions -> partitions.values().stream())
                .mapToLong(CommittedOffset::commitTimestamp).max();
    }

    /// Tombstones for the commits of these topics.
    public List<GroupRecord> removals(String groupId, Set<String> topics) {
        var records = new ArrayList<GroupRecord>();
        for (var topic : topics) {
            partitions(topic).keySet().forEach(partition -> records.add(new OffsetRemoved(groupId, topic, partition)));
        }
        return records;
    }
}
