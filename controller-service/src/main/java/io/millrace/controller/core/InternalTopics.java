package io.millrace.controller.core;

import java.util.Map;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ShardKind;

/// How the topics are made that coordinators keep their state in.
public record InternalTopics(InternalTopic groups, InternalTopic transactions) {

    /// How that of `kind` is made.
    InternalTopic of(ShardKind kind) {
        return switch (kind) {
            case GROUP -> groups;
            case TRANSACTION -> transactions;
        };
    }

    /// What asks for that of `kind`.
    NewTopic wanted(ShardKind kind) {
        var topic = of(kind);
        return new NewTopic(kind.topic(), topic.partitions(), topic.replicationFactor(), Map.of(), topic.configs());
    }

    /// What is asked for, where it is one of these and its making is left to the controller made as it must be.
    NewTopic completed(NewTopic asked) {
        boolean open = asked.partitions() == CreateTopics.DEFAULT && asked.replicationFactor() == CreateTopics.DEFAULT
                && asked.assignments().isEmpty() && asked.configs().isEmpty();
        return open ? ShardKind.ofTopic(asked.name()).map(this::wanted).orElse(asked) : asked;
    }
}
