package io.millrace.metadata.command;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/// What became of one topic of a command.
///
/// @param name null where the command named it by an id that is unknown
/// @param id null where there is no such topic
/// @param errorCode Kafka's; 0 is success
/// @param message for people; null where there is nothing to say
/// @param partitions that it has now; -1 where it is not known
/// @param replicationFactor that it has now; -1 where it is not known
public record TopicOutcome(@Nullable String name, @Nullable UUID id, short errorCode, @Nullable String message,
        int partitions, int replicationFactor) {

    /// A topic of which nothing changed.
    public static TopicOutcome refused(@Nullable String name, @Nullable UUID id, short errorCode,
            @Nullable String message) {
        return new TopicOutcome(name, id, errorCode, message, -1, -1);
    }

    /// Whether it was done.
    public boolean succeeded() {
        return errorCode == 0;
    }
}
