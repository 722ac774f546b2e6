package io.millrace.metadata.image;

import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/// The topics, by name and by id. Both maps hold the same values.
public record TopicsImage(HashPMap<String, TopicImage> byName, HashPMap<UUID, TopicImage> byId) {
    /// No topic at all.
    public static final TopicsImage EMPTY = new TopicsImage(HashTreePMap.empty(), HashTreePMap.empty());

    /// The topic of that name.
    public Optional<TopicImage> topic(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// The topic of that id.
    public Optional<TopicImage> topic(UUID id) {
        return Optional.ofNullable(byId.get(id));
    }

    /// All topics, in no order.
    public Collection<TopicImage> all() {
        return byName.values();
    }

    /// How many there are.
    public int size() {
        return byName.size();
    }

    /// With `topic` in place of whatever had its name or its id.
    public TopicsImage with(TopicImage topic) {
        var replaced = byName.get(topic.name());
        var ids = replaced == null || replaced.id().equals(topic.id()) ? byId : byId.minus(replaced.id());
        return new TopicsImage(byName.plus(topic.name(), topic), ids.plus(topic.id(), topic));
    }

    /// Without the topic of that id; the same where there is none.
    public TopicsImage without(UUID id) {
        var removed = byId.get(id);
        return removed == null ? this : new TopicsImage(byName.minus(removed.name()), byId.minus(id));
    }
}
