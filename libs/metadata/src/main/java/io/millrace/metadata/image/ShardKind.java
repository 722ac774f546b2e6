package io.millrace.metadata.image;

import java.util.Arrays;
import java.util.Optional;

/// What coordinators share out among themselves: each kind has a topic of its own, whose partitions are its shards.
public enum ShardKind {
    /// Consumer groups and their offsets.
    GROUP("__consumer_offsets"),
    /// Transactions.
    TRANSACTION("__transaction_state");

    private final String topic;

    ShardKind(String topic) {
        this.topic = topic;
    }

    /// The topic whose partitions are the shards.
    public String topic() {
        return topic;
    }

    /// The kind whose shards are the partitions of that topic, if any.
    public static Optional<ShardKind> ofTopic(String topic) {
        return Arrays.stream(values()).filter(kind -> kind.topic.equals(topic)).findFirst();
    }
}
