package io.millrace.metadata.image;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// The cluster at one version.
///
/// @param clusterId 22 characters of base64url; empty before it is known
/// @param controllerId of the active controller; -1 before one is known
/// @param groupShards owners of the partitions of `__consumer_offsets`
/// @param transactionShards owners of the partitions of `__transaction_state`
public record ClusterImage(MetadataVersion version, String clusterId, int controllerId, NodesImage nodes,
        TopicsImage topics, ConfigsImage configs, ShardsImage groupShards,
        ShardsImage transactionShards) {
    /// Before anything is known.
    public static final ClusterImage EMPTY = new ClusterImage(MetadataVersion.NONE, "", -1, NodesImage.EMPTY,
            TopicsImage.EMPTY, ConfigsImage.EMPTY, ShardsImage.EMPTY, ShardsImage.EMPTY);

    /// The broker of that id, in whatever state.
    public Optional<NodeImage> broker(int id) {
        return nodes.node(Role.BROKER, id);
    }

    /// The coordinator of that id, in whatever state.
    public Optional<NodeImage> coordinator(int id) {
        return nodes.node(Role.COORDINATOR, id);
    }

    /// The active brokers, by id.
    public List<NodeImage> liveBrokers() {
        return nodes.live(Role.BROKER);
    }

    /// The active coordinators, by id.
    public List<NodeImage> liveCoordinators() {
        return nodes.live(Role.COORDINATOR);
    }

    /// The topic of that name.
    public Optional<TopicImage> topic(String name) {
        return topics.topic(name);
    }

    /// The topic of that id.
    public Optional<TopicImage> topic(UUID id) {
        return topics.topic(id);
    }

    /// That partition of the topic of that name.
    public Optional<PartitionImage> partition(String topic, int partition) {
        return topics.topic(topic).flatMap(found -> found.partition(partition));
    }

    /// What was set for that topic; empty where nothing was.
    public Map<String, String> topicConfig(String topic) {
        return configs.of(ConfigResource.topic(topic));
    }

    /// Owners of the shards of that kind.
    public ShardsImage shards(ShardKind kind) {
        return switch (kind) {
            case GROUP -> groupShards;
            case TRANSACTION -> transactionShards;
        };
    }

    /// The shard of a group or a transactional id; empty before its topic exists or that shard was given to anyone.
    public Optional<ShardImage> shardOf(ShardKind kind, String key) {
        return topics.topic(kind.topic())
                .filter(topic -> !topic.partitions().isEmpty())
                .flatMap(topic -> shards(kind).shard(ShardsImage.shardOf(key, topic.partitions().size())));
    }

    /// The same cluster under that version.
    public ClusterImage at(MetadataVersion next) {
        return new ClusterImage(next, clusterId, controllerId, nodes, topics, configs, groupShards, transactionShards);
    }

    /// With that cluster id.
    public ClusterImage with(String identified) {
        return new ClusterImage(version, identified, controllerId, nodes, topics, configs, groupShards,
                transactionShards);
    }

    /// With that active controller.
    public ClusterImage withController(int id) {
        return new ClusterImage(version, clusterId, id, nodes, topics, configs, groupShards, transactionShards);
    }

    /// With those nodes.
    public ClusterImage with(NodesImage next) {
        return new ClusterImage(version, clusterId, controllerId, next, topics, configs, groupShards,
                transactionShards);
    }

    /// With those topics.
    public ClusterImage with(TopicsImage next) {
        return new ClusterImage(version, clusterId, controllerId, nodes, next, configs, groupShards, transactionShards);
    }

    /// With that dynamic configuration.
    public ClusterImage with(ConfigsImage next) {
        return new ClusterImage(version, clusterId, controllerId, nodes, topics, next, groupShards, transactionShards);
    }

    /// With those owners of the shards of that kind.
    public ClusterImage with(ShardKind kind, ShardsImage next) {
        return switch (kind) {
            case GROUP -> new ClusterImage(version, clusterId, controllerId, nodes, topics, configs, next,
                    transactionShards);
            case TRANSACTION -> new ClusterImage(version, clusterId, controllerId, nodes, topics, configs, groupShards,
                    next);
        };
    }
}
