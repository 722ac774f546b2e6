package io.millrace.controller.core;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/// The topics of which a broker holds, leads or is to hold some partition, so that what happens to a broker costs a look
/// at its own topics and not at all there are. Immutable.
///
/// A topic whose partitions were moved elsewhere stays listed until it is deleted: who looks finds nothing to do.
record TopicsByBroker(HashPMap<Integer, MapPSet<UUID>> topics) {
    static final TopicsByBroker EMPTY = new TopicsByBroker(HashTreePMap.empty());

    /// The topics to look at; some may be gone.
    Set<UUID> of(int broker) {
        return topics.getOrDefault(broker, HashTreePSet.empty());
    }

    /// As it is after `records`.
    TopicsByBroker after(List<MetadataRecord> records) {
        var next = topics;
        for (var record : records) {
            next = switch (record) {
                case PartitionPut(UUID topic, PartitionImage partition) -> {
                    var more = next;
                    for (int replica : partition.replicas()) {
                        more = with(more, replica, topic);
                    }
                    for (int inSync : partition.isr()) {
                        more = with(more, inSync, topic);
                    }
                    yield partition.hasLeader() ? with(more, partition.leader(), topic) : more;
                }
                case TopicRemoved(UUID topic) -> without(next, topic);
                case ClusterIdentified _,ControllerElected _,NodePut _,NodeRemoved _,TopicPut _,ConfigPut _,ShardPut _ ->
                    next;
            };
        }
        return new TopicsByBroker(next);
    }

    private static HashPMap<Integer, MapPSet<UUID>> with(HashPMap<Integer, MapPSet<UUID>> topics, int broker,
            UUID topic) {
        var now = topics.getOrDefault(broker, HashTreePSet.empty());
        return now.contains(topic) ? topics : topics.plus(broker, now.plus(topic));
    }

    private static HashPMap<Integer, MapPSet<UUID>> without(HashPMap<Integer, MapPSet<UUID>> topics, UUID topic) {
        var next = topics;
        for (var entry : topics.entrySet()) {
            if (entry.getValue().contains(topic)) {
                next = next.plus(entry.getKey(), entry.getValue().minus(topic));
            }
        }
        return next;
    }
}
