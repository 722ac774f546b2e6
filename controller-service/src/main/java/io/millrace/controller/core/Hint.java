package io.millrace.controller.core;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ShardKind;

/// Something in ZooKeeper may differ from what is known: look there. A hint carries no data, so that none is ever stale.
public sealed interface Hint {

    /// Registrations of any role.
    record Nodes() implements Hint {}

    /// The node of one topic.
    record Topic(String name) implements Hint {}

    /// The node of one topic, and the states of its partitions, which the controller alone writes.
    record States(String topic) implements Hint {}

    /// The topics that are asked to be deleted.
    record Deletions() implements Hint {}

    /// The moves that an old tool asks for.
    record AskedMoves() implements Hint {}

    /// The election of preferred leaders that an old tool asks for.
    record AskedElection() implements Hint {}

    /// The configuration of one resource.
    record Config(ConfigResource resource) implements Hint {}

    /// Who owns the shards of that kind.
    record Shards(ShardKind kind) implements Hint {}

    /// What producer ids are given away.
    record ProducerIds() implements Hint {}

    /// All of it: watches were out of order for a while, or a write met something unknown.
    record Everything() implements Hint {}
}
