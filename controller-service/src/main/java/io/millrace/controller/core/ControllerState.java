package io.millrace.controller.core;

import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;

/// All that decisions look at: the image, and beside it what only the controller must know. Immutable.
///
/// @param topicNodes the nodes of the topics of the image, as they are in ZooKeeper
/// @param configVersions zkVersions of configuration nodes that exist, also of those that set nothing
/// @param streams nodes whose stream is up, with the registration each spoke for
/// @param shardVersions zkVersions of the nodes with the shards of each kind, those that exist
/// @param producerIds what was given away last
/// @param unreadableTopics names that are taken by nodes nobody can read
/// @param topicsByBroker where to look for the partitions of a broker
/// @param askedMoves what an old tool asked for and is not over
public record ControllerState(ClusterImage image, HashPMap<String, TopicZnode> topicNodes,
        HashPMap<ConfigResource, Integer> configVersions, HashPMap<NodeKey, Long> streams,
        HashPMap<ShardKind, Integer> shardVersions,
        ProducerIds producerIds, PSet<String> unreadableTopics, TopicsByBroker topicsByBroker,
        AskedMoves askedMoves) {

    /// A topic's node and its zkVersion.
    public record TopicZnode(TopicNode node, int version) {}

    /// @param next the first producer id that nobody has
    /// @param version zkVersion of the node that says so
    public record ProducerIds(long next, int version) {}

    /// What is left in the node by which old tools ask for moves.
    ///
    /// @param moves in the order written
    /// @param version zkVersion of that node, or [StoreWrite#CREATE] where there is none
    public record AskedMoves(List<Move> moves, int version) {
        static final AskedMoves NONE = new AskedMoves(List.of(), StoreWrite.CREATE);

        public AskedMoves {
            moves = List.copyOf(moves);
        }
    }

    /// The start of a term, before anything was read.
    static ControllerState atStart(Office office) {
        return new ControllerState(ClusterImage.EMPTY.at(new MetadataVersion(office.epoch(), 0)), HashTreePMap.empty(),
                HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), new ProducerIds(0, 0), HashTreePSet
                        .empty(), TopicsByBroker.EMPTY, AskedMoves.NONE);
    }

    /// The same cluster, under another version or an image that holds the same partitions.
    ControllerState with(ClusterImage next) {
        return new ControllerState(next, topicNodes, configVersions, streams, shardVersions, producerIds,
                unreadableTopics, topicsByBroker, askedMoves);
    }

    /// The state after `records`.
    ControllerState after(List<MetadataRecord> records) {
        return new ControllerState(Replay.apply(image, records), topicNodes, configVersions, streams, shardVersions,
                producerIds, unreadableTopics, topicsByBroker.after(records), askedMoves);
    }

    ControllerState withTopic(String name, TopicZnode node) {
        return new ControllerState(image, topicNodes.plus(name, node), configVersions, streams, shardVersions,
                producerIds, unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withoutTopic(String name) {
        return new ControllerState(image, topicNodes.minus(name), configVersions, streams, shardVersions, producerIds,
                unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withConfig(ConfigResource resource, int version) {
        return new ControllerState(image, topicNodes, configVersions.plus(resource, version), streams, shardVersions,
                producerIds, unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withoutConfig(ConfigResource resource) {
        return new ControllerState(image, topicNodes, configVersions.minus(resource), streams, shardVersions,
                producerIds, unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withStream(NodeKey node, long nodeEpoch) {
        return new ControllerState(image, topicNodes, configVersions, streams.plus(node, nodeEpoch), shardVersions,
                producerIds, unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withoutStream(NodeKey node) {
        return new ControllerState(image, topicNodes, configVersions, streams.minus(node), shardVersions, producerIds,
                unreadableTopics, topicsByBroker, askedMoves);
    }

    ControllerState withShards(ShardKind kind, int version) {
        return new ControllerState(image, topicNodes, configVersions, streams, shardVersions.plus(kind, version),
                producerIds, unreadableTopics,
                topicsByBroker, askedMoves);
    }

    ControllerState with(ProducerIds next) {
        return new ControllerState(image, topicNodes, configVersions, streams, shardVersions, next, unreadableTopics,
                topicsByBroker, askedMoves);
    }

    ControllerState with(AskedMoves next) {
        return new ControllerState(image, topicNodes, configVersions, streams, shardVersions, producerIds,
                unreadableTopics, topicsByBroker, next);
    }

    ControllerState withUnreadable(String topic) {
        return with(unreadableTopics.plus(topic));
    }

    ControllerState withReadable(String topic) {
        return unreadableTopics.contains(topic) ? with(unreadableTopics.minus(topic)) : this;
    }

    private ControllerState with(PSet<String> unreadable) {
        return new ControllerState(image, topicNodes, configVersions, streams, shardVersions, producerIds, unreadable,
                topicsByBroker, askedMoves);
    }

    /// zkVersion of a resource's configuration node, or [StoreWrite#CREATE].
    int configVersion(ConfigResource resource) {
        return configVersions.getOrDefault(resource, StoreWrite.CREATE);
    }

    /// zkVersion of the node with the shards of that kind, or [StoreWrite#CREATE].
    int shardsVersion(ShardKind kind) {
        return shardVersions.getOrDefault(kind, StoreWrite.CREATE);
    }

    /// Whether the stream of exactly this registration is up.
    boolean streams(NodeKey node, long nodeEpoch) {
        var epoch = streams.get(node);
        return epoch != null && epoch == nodeEpoch;
    }
}
