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
public record ClusterImage(MetadataVersion version, String clusterId, int controllerId, NodesImage nodes,
        TopicsImage topics, ConfigsImage configs, ShardsImage groupShards) {
    /// Before anything is known.
    public static final ClusterImage EMPTY = new ClusterImage(MetadataVersion.NONE, "", -1, NodesImage.EMPTY,
            TopicsImage.EMPTY, ConfigsImage.EMPTY, ShardsImage.EMPTY);

    /// The topic whose partitions are the shards of the groups.
    public static final String GROUP_TOPIC = "__consumer_offsets";

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

    /// The shard of a group; empty before `__consumer_offsets` exists or that shard was given to anyone.
    public Optional<ShardImage> shardOf(String groupId) {
        return topics.topic(GROUP_TOPIC)
                .filter(topic -> !topic.partitions().isEmpty())
                .flatMap(topic -> groupShards.shard(ShardsImage.shardOf(groupId, topic.partitions().size())));
    }

    /// The same cluster under that version.
    public ClusterImage at(MetadataVersion next) {
        return new ClusterImage(next, clusterId, controllerId, nodes, topics, configs, groupShards);
    }

    /// With that cluster id.
    public ClusterImage with(String identified) {
        return new ClusterImage(version, identified, controllerId, nodes, topics, configs, groupShards);
    }

    /// With that active controller.
    public ClusterImage withController(int id) {
        return new ClusterImage(version, clusterId, id, nodes, topics, configs, groupShards);
    }

    /// With those nodes.
    public ClusterImage with(NodesImage next) {
        return new ClusterImage(version, clusterId, controllerId, next, topics, configs, groupShards);
    }

    /// With those topics.
    public ClusterImage with(TopicsImage next) {
        return new ClusterImage(version, clusterId, controllerId, nodes, next, configs, groupShards);
    }

    /// With that dynamic configuration.
    public ClusterImage with(ConfigsImage next) {
        return new ClusterImage(version, clusterId, controllerId, nodes, topics, next, groupShards);
    }

    /// With those owners of the shards.
    public ClusterImage with(ShardsImage next) {
        return new ClusterImage(version, clusterId, controllerId, nodes, topics, configs, next);
    }
}
