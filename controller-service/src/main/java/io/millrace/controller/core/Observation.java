package io.millrace.controller.core;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import org.jspecify.annotations.Nullable;

/// What was read from ZooKeeper: all of it, or the parts that hints pointed at.
///
/// @param nodes all registrations that can be read; null where nobody looked. Their states mean nothing
/// @param topics by name, those looked at
/// @param configs by resource, those looked at
/// @param deletions topics that are asked to be deleted
/// @param shards by kind, those looked at
/// @param producerIds null where nobody looked
/// @param askedMoves what an old tool asks for; null where nobody looked
/// @param askedElection the election of preferred leaders that an old tool asks for; null where nobody looked or none is
///        asked for
/// @param whole what is read only when everything is; a topic or resource that is not in `topics` or `configs` then does
///        not exist. Null where only parts were read
public record Observation(@Nullable List<NodeImage> nodes, Map<String, TopicSeen> topics,
        Map<ConfigResource, ConfigSeen> configs, Set<String> deletions, Map<ShardKind, ShardsSeen> shards,
        @Nullable ProducerIds producerIds, @Nullable MovesSeen askedMoves,
        @Nullable ElectionSeen askedElection, @Nullable Whole whole) {
    /// Nobody looked anywhere yet.
    public static final Observation NOTHING = new Observation(null, Map.of(), Map.of(), Set.of(), Map.of(), null, null,
            null, null);

    public Observation {
        // In the order of their names, so that one history always leads to the same decisions.
        topics = Collections.unmodifiableMap(new TreeMap<>(topics));
        configs = Collections.unmodifiableMap(new LinkedHashMap<>(configs));
        deletions = Collections.unmodifiableSet(new TreeSet<>(deletions));
        shards = Collections.unmodifiableMap(new TreeMap<>(shards));
    }

    /// @param orphanedIds topics that are gone but for the second copy of their id
    public record Whole(String clusterId, Set<String> orphanedIds) {}

    /// @param shards with their owners; none where no node says so
    /// @param version zkVersion of that node, or [StoreWrite#CREATE]
    public record ShardsSeen(ShardKind kind, List<ShardImage> shards, int version) {}

    /// With these registrations.
    public Observation withNodes(List<NodeImage> seen) {
        return new Observation(seen, topics, configs, deletions, shards, producerIds, askedMoves, askedElection, whole);
    }

    /// With these topics.
    public Observation withTopics(Map<String, TopicSeen> seen) {
        return new Observation(nodes, seen, configs, deletions, shards, producerIds, askedMoves, askedElection, whole);
    }

    /// With these configurations.
    public Observation withConfigs(Map<ConfigResource, ConfigSeen> seen) {
        return new Observation(nodes, topics, seen, deletions, shards, producerIds, askedMoves, askedElection, whole);
    }

    /// With these topics to be deleted.
    public Observation withDeletions(Collection<String> seen) {
        return new Observation(nodes, topics, configs, Set.copyOf(seen), shards, producerIds, askedMoves, askedElection,
                whole);
    }

    /// With these shards.
    public Observation with(ShardsSeen seen) {
        var all = new TreeMap<>(shards);
        all.put(seen.kind(), seen);
        return new Observation(nodes, topics, configs, deletions, all, producerIds, askedMoves, askedElection, whole);
    }

    /// With these producer ids.
    public Observation with(ProducerIds seen) {
        return new Observation(nodes, topics, configs, deletions, shards, seen, askedMoves, askedElection, whole);
    }

    /// With what an old tool asks for.
    public Observation with(MovesSeen seen) {
        return new Observation(nodes, topics, configs, deletions, shards, producerIds, seen, askedElection, whole);
    }

    /// With the election that an old tool asks for, if there is one.
    public Observation withElection(Optional<ElectionSeen> seen) {
        return new Observation(nodes, topics, configs, deletions, shards, producerIds, askedMoves, seen.orElse(null),
                whole);
    }

    /// As one of the whole cluster.
    public Observation with(Whole seen) {
        return new Observation(nodes, topics, configs, deletions, shards, producerIds, askedMoves, askedElection, seen);
    }

    /// The node by which old tools ask for an election of preferred leaders.
    ///
    /// @param partitions null where it cannot be read
    public record ElectionSeen(@Nullable List<TopicPartition> partitions, int version) {}

    /// A topic's node.
    public sealed interface TopicSeen {

        /// @param states of its partitions, those that have one; null where nobody looked
        /// @param copiedId the copy of its id that no old tool knows of; null where there is none or nobody looked
        record Present(TopicNode node, int version, @Nullable Map<Integer, PartitionSeen> states,
                @Nullable UUID copiedId)
                implements
                    TopicSeen {}

        /// There is none.
        ///
        /// @param copiedId as in [Present]
        record Absent(@Nullable UUID copiedId) implements TopicSeen {}

        /// There is one, and it makes no sense: what is known of the topic stays as it is.
        ///
        /// @param copiedId as in [Present]
        record Unreadable(@Nullable UUID copiedId) implements TopicSeen {}
    }

    /// A partition's `state` node.
    public record PartitionSeen(int leader, int leaderEpoch, List<Integer> isr, List<EligibleReplica> elr,
            int version) {}

    /// A configuration node.
    public sealed interface ConfigSeen {

        record Present(Map<String, String> values, int version) implements ConfigSeen {}

        /// There is none.
        record Absent() implements ConfigSeen {}

        /// There is one, and it makes no sense: what is known stays as it is.
        record Unreadable(int version) implements ConfigSeen {}
    }

    /// The node by which old tools ask for moves.
    public sealed interface MovesSeen {

        record Present(List<Move> moves, int version) implements MovesSeen {}

        /// There is none.
        record Absent() implements MovesSeen {}

        /// There is one, and it makes no sense.
        record Unreadable(int version) implements MovesSeen {}
    }
}
