package io.millrace.service.protocol;

import java.util.Optional;

import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;

/// What a topic may be called. **pure**
final class TopicNames {
    private TopicNames() {}

    /// Why that name is not allowed, in Kafka's words; empty where it is.
    static Optional<String> problem(String name) {
        try {
            Topic.validate(name);
            return Optional.empty();
        } catch (InvalidTopicException invalid) {
            return Optional.of(String.valueOf(invalid.getMessage()));
        }
    }
}
