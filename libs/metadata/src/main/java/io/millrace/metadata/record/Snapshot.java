package io.millrace.metadata.record;

import java.util.ArrayList;
import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;

/// A whole image as the records that make it out of nothing.
///
/// @param version of the image
public record Snapshot(MetadataVersion version, List<MetadataRecord> records) {
    public Snapshot {
        records = List.copyOf(records);
    }

    /// The records of `image`.
    public static Snapshot of(ClusterImage image) {
        var records = new ArrayList<MetadataRecord>();
        if (!image.clusterId().isEmpty()) {
            records.add(new ClusterIdentified(image.clusterId()));
        }
        if (image.controllerId() >= 0) {
            records.add(new ControllerElected(image.controllerId(), image.version().controllerEpoch()));
        }
        image.nodes().all().forEach(node -> records.add(new NodePut(node)));
        for (var topic : image.topics().all()) {
            records.add(new TopicPut(topic.name(), topic.id()));
            topic.partitions().forEach(partition -> records.add(new PartitionPut(topic.id(), partition)));
        }
        image.configs().byResource().forEach((resource, values) -> records.add(new ConfigPut(resource, values)));
        for (var kind : ShardKind.values()) {
            image.shards(kind).all().forEach(shard -> records.add(new ShardPut(kind, shard)));
        }
        return new Snapshot(image.version(), records);
    }
}
