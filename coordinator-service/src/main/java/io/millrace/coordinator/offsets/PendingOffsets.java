package io.millrace.coordinator.offsets;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import org.apache.kafka.common.TopicPartition;

/// Offsets that are stored as parts of transactions that have not ended. What was written for a partition later wins,
/// whichever transaction ends first, as in Kafka: so what is overtaken is forgotten at once. Belongs to the shard's loop.
public final class PendingOffsets {
    private final Map<Long, Map<Key, Entry>> byProducer = new HashMap<>();
    private final Map<Key, Integer> transactions = new HashMap<>();
    private long order;

    private record Key(String groupId, String topic, int partition) {}

    private record Entry(CommittedOffset value, long order) {}

    /// Takes over a commit that is stored as a part of that producer's transaction.
    public void put(long producerId, OffsetPut commit) {
        var key = new Key(commit.groupId(), commit.topic(), commit.partition());
        var before = byProducer.computeIfAbsent(producerId, _ -> new LinkedHashMap<>())
                .put(key, new Entry(commit.value(), ++order));
        if (before == null) {
            transactions.merge(key, 1, Integer::sum);
        }
    }

    /// A commit, or its removal, of no transaction is stored: what is pending for its partition comes to nothing.
    public void overtaken(String groupId, String topic, int partition) {
        if (!transactions.isEmpty()) {
            drop(new Key(groupId, topic, partition), Long.MAX_VALUE);
        }
    }

    /// A producer's transaction ended.
    ///
    /// @return the offsets that it makes real; none where it was aborted
    public List<OffsetPut> end(long producerId, boolean commit) {
        var ended = byProducer.remove(producerId);
        if (ended == null) {
            return List.of();
        }
        var real = new ArrayList<OffsetPut>();
        ended.forEach((key, entry) -> {
            forget(key);
            if (commit) {
                real.add(new OffsetPut(key.groupId(), key.topic(), key.partition(), entry.value()));
                drop(key, entry.order());
            }
        });
        return real;
    }

    /// Whether a transaction that has not ended may change what is committed for that partition.
    public boolean has(String groupId, String topic, int partition) {
        return transactions.containsKey(new Key(groupId, topic, partition));
    }

    /// The groups with anything pending.
    public Set<String> groups() {
        return transactions.keySet().stream().map(Key::groupId).collect(Collectors.toSet());
    }

    /// Whether a transaction that has not ended committed anything for that group.
    public boolean has(String groupId) {
        return transactions.keySet().stream().anyMatch(key -> key.groupId().equals(groupId));
    }

    /// The partitions for which transactions that have not ended committed something of that group.
    public Set<TopicPartition> of(String groupId) {
        return transactions.keySet().stream().filter(key -> key.groupId().equals(groupId))
                .map(key -> new TopicPartition(key.topic(), key.partition()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// The groups for which that producer's transaction committed something.
    public Set<String> groupsOf(long producerId) {
        return byProducer.getOrDefault(producerId, Map.of()).keySet().stream().map(Key::groupId)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void drop(Key key, long before) {
        byProducer.values().forEach(pending -> {
            var entry = pending.get(key);
            if (entry != null && entry.order() < before) {
                pending.remove(key);
                forget(key);
            }
        });
        byProducer.values().removeIf(Map::isEmpty);
    }

    private void forget(Key key) {
        transactions.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}
