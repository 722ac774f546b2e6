package io.millrace.metadata.record;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

import io.millrace.base.check.Check;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardKey;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;

/// Image and records make the next image. There is no other way to change one.
public final class Replay {
    private Replay() {}

    /// The image after `delta`.
    ///
    /// @throws IllegalArgumentException where `delta` does not start at the image's version, or a record does not fit
    public static ClusterImage apply(ClusterImage image, Delta delta) {
        Check.argument(image.version().equals(delta.from()), "delta from %s for an image at %s", delta.from(),
                image.version());
        return apply(image, delta.records()).at(delta.to());
    }

    /// The image that a snapshot was made of.
    ///
    /// @throws IllegalArgumentException where a record does not fit
    public static ClusterImage apply(Snapshot snapshot) {
        return apply(ClusterImage.EMPTY, snapshot.records()).at(snapshot.version());
    }

    /// The image after `records`, still under its old version.
    ///
    /// @throws IllegalArgumentException where a record does not fit
    public static ClusterImage apply(ClusterImage image, List<MetadataRecord> records) {
        var next = image;
        int index = 0;
        while (index < records.size()) {
            int end = endOfRun(records, index);
            next = records.get(index) instanceof PartitionPut put
                    ? put(next, put.topicId(), records.subList(index, end))
                    : apply(next, records.get(index));
            index = end;
        }
        return next;
    }

    /// Where a run of partitions of one topic ends that begins at `start`: they are put in one step.
    private static int endOfRun(List<MetadataRecord> records, int start) {
        int end = start + 1;
        if (records.get(start) instanceof PartitionPut first) {
            while (end < records.size() && records.get(end) instanceof PartitionPut put
                    && put.topicId().equals(first.topicId())) {
                end++;
            }
        }
        return end;
    }

    private static ClusterImage put(ClusterImage image, UUID topicId, List<MetadataRecord> run) {
        var partitions = new ArrayList<PartitionImage>(run.size());
        for (var record : run) {
            if (record instanceof PartitionPut put) {
                partitions.add(put.partition());
            }
        }
        var topic = image.topic(topicId).orElseThrow(() -> new IllegalArgumentException(
                "topicId=%s partition=%d of no topic".formatted(topicId, partitions.getFirst().partition())));
        return image.with(image.topics().with(topic.with(partitions)));
    }

    /// What `records` touched on the way from `before`. Costs as much as there are records, not as the images are large.
    public static Changes changes(ClusterImage before, List<MetadataRecord> records) {
        var topics = new HashSet<UUID>();
        var removed = new HashSet<UUID>();
        var nodes = new HashSet<NodeKey>();
        var configs = new HashSet<ConfigResource>();
        var shards = new HashSet<ShardKey>();
        for (var record : records) {
            switch (record) {
                case ClusterIdentified _,ControllerElected _ -> {
                }
                case NodePut put -> nodes.add(put.node().key());
                case NodeRemoved gone -> nodes.add(new NodeKey(gone.role(), gone.id()));
                case TopicPut put -> {
                    // A topic created again before the removal of the old one was seen takes the name from it.
                    before.topic(put.name()).map(TopicImage::id).filter(id -> !id.equals(put.id())).ifPresent(
                            removed::add);
                    topics.add(put.id());
                }
                case PartitionPut put -> topics.add(put.topicId());
                case TopicRemoved gone -> {
                    topics.remove(gone.id());
                    before.topic(gone.id()).map(TopicImage::id).ifPresent(removed::add);
                }
                case ConfigPut put -> configs.add(put.resource());
                case ShardPut put -> shards.add(new ShardKey(put.kind(), put.shard().shard()));
            }
        }
        return new Changes(topics, removed, nodes, configs, shards);
    }

    private static ClusterImage apply(ClusterImage image, MetadataRecord record) {
        return switch (record) {
            case ClusterIdentified identified -> image.with(identified.clusterId());
            case ControllerElected elected -> image.withController(elected.id());
            case NodePut put -> image.with(image.nodes().with(put.node()));
            case NodeRemoved gone -> image.with(image.nodes().without(new NodeKey(gone.role(), gone.id())));
            case TopicPut put -> image.topic(put.id()).isPresent()
                    ? image
                    : image.with(image.topics().with(TopicImage.of(put.name(), put.id())));
            case PartitionPut put -> put(image, put.topicId(), List.of(put));
            case TopicRemoved gone -> image.with(image.topics().without(gone.id()));
            case ConfigPut put -> image.with(image.configs().with(put.resource(), put.values()));
            case ShardPut put -> image.with(put.kind(), image.shards(put.kind()).with(put.shard()));
        };
    }
}
