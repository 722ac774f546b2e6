package io.millrace.broker.partition;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Finds the partitions of this broker. Any thread may look; one thread changes what is found.
public final class PartitionRegistry {
    private final Supplier<ClusterImage> images;
    private final Map<String, LocalTopic> byName = new ConcurrentHashMap<>();
    private final Map<UUID, LocalTopic> byId = new ConcurrentHashMap<>();

    /// @param images the newest image, for what is elsewhere or nowhere
    public PartitionRegistry(Supplier<ClusterImage> images) {
        this.images = images;
    }

    /// The partition of that name.
    ///
    /// @throws Refused NOT_LEADER_OR_FOLLOWER where others have it, UNKNOWN_TOPIC_OR_PARTITION where nobody does
    public Partition find(String topic, int partition) {
        var local = byName.get(topic);
        var found = local == null ? null : local.partition(partition);
        if (found != null) {
            return found;
        }
        boolean elsewhere = images.get().partition(topic, partition).isPresent();
        throw new Refused(elsewhere ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.UNKNOWN_TOPIC_OR_PARTITION,
                "topic=%s partition=%d is not on this broker".formatted(topic, partition));
    }

    /// The partition of that topic id.
    ///
    /// @param knownName under which the asker knew that id; empty where it never did
    /// @throws Refused NOT_LEADER_OR_FOLLOWER where others have it, UNKNOWN_TOPIC_ID where nobody does,
    ///         INCONSISTENT_TOPIC_ID where that name now belongs to another topic, UNKNOWN_TOPIC_OR_PARTITION where the
    ///         topic has no such partition
    public Partition find(Uuid topicId, String knownName, int partition) {
        var id = javaId(topicId);
        var local = byId.get(id);
        var found = local == null ? null : local.partition(partition);
        if (found != null) {
            return found;
        }
        throw new Refused(missing(id, knownName, partition), "topicId=%s partition=%d is not on this broker".formatted(
                topicId, partition));
    }

    private Errors missing(UUID id, String knownName, int partition) {
        var image = images.get();
        var topic = image.topic(id);
        if (topic.isPresent()) {
            return topic.get().partition(partition).isPresent()
                    ? Errors.NOT_LEADER_OR_FOLLOWER
                    : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return knownName.isEmpty() || image.topic(knownName).isEmpty()
                ? Errors.UNKNOWN_TOPIC_ID
                : Errors.INCONSISTENT_TOPIC_ID;
    }

    /// The name of a topic, here or elsewhere; null where the id is unknown.
    public @Nullable String nameOf(Uuid topicId) {
        var id = javaId(topicId);
        var local = byId.get(id);
        if (local != null) {
            return local.name();
        }
        return images.get().topic(id).map(topic -> topic.name()).orElse(null);
    }

    /// All partitions here, as they are now.
    public List<Partition> all() {
        return byName.values().stream().map(LocalTopic::partitions).flatMap(Collection::stream).toList();
    }

    /// The local part of a topic; null where there is none.
    @Nullable
    LocalTopic topic(UUID id) {
        return byId.get(id);
    }

    /// The topics with partitions here.
    Collection<LocalTopic> topics() {
        return List.copyOf(byName.values());
    }

    /// Names of topics with partitions here.
    @Nullable
    LocalTopic topic(String name) {
        return byName.get(name);
    }

    /// Shows a partition to those who look.
    void put(LocalTopic topic, Partition partition) {
        topic.put(partition.id().partition(), partition);
        byName.put(topic.name(), topic);
        byId.put(topic.id(), topic);
    }

    /// Hides a partition, and its topic with the last one.
    void remove(LocalTopic topic, int partition) {
        topic.put(partition, null);
        if (topic.isEmpty()) {
            byName.remove(topic.name(), topic);
            byId.remove(topic.id(), topic);
        }
    }

    private static UUID javaId(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}
