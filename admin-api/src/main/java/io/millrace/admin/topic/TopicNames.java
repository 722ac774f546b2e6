package io.millrace.admin.topic;

import java.util.Set;
import java.util.UUID;

import io.millrace.service.protocol.TopicIds;

/// What a topic's name and id look like to people.
final class TopicNames {
    private static final Set<String> INTERNAL = Set.of("__consumer_offsets", "__transaction_state");

    private TopicNames() {}

    static boolean isInternal(String name) {
        return INTERNAL.contains(name);
    }

    /// Kafka's own form of an id: 22 characters.
    static String text(UUID id) {
        return TopicIds.toKafka(id).toString();
    }
}
