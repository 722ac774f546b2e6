package io.millrace.controller.core;

import java.util.Map;

/// Internal topics of which one is made as the other.
final class AlikeTopics {
    private AlikeTopics() {}

    static InternalTopics of(int partitions, int replicationFactor, Map<String, String> configs) {
        var topic = new InternalTopic(partitions, replicationFactor, configs);
        return new InternalTopics(topic, topic);
    }
}
