package io.millrace.coordinator.shard;

import java.util.Set;

import io.millrace.coordinator.storage.Stored;

/// What a shard holds: the state that its log makes, and what answers from it. All methods are called on the shard's
/// loop.
public interface ShardContents {
    /// Takes over an entry of the log while the shard loads, in the order of the log.
    ///
    /// @throws io.millrace.coordinator.record.MalformedRecord where it cannot be read
    void replay(Stored entry);

    /// All of the log is taken over: from now on there are calls.
    void start();

    /// Topics are gone from the cluster.
    void topicsDeleted(Set<String> topics);

    /// The shard goes elsewhere, loaded or not: whoever waits is told, nothing of it counts here any more.
    void close();
}
