package io.millrace.controller.core;

import java.util.HashSet;
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

    /// As it is after `records`. Partitions of one topic stand together there, by the thousand when a term begins: only the
    /// first that names a broker costs a look at the maps.
    TopicsByBroker after(List<MetadataRecord> records) {
        var next = topics;
        UUID current = null;
        var listed = new HashSet<Integer>();
        for (var record : records) {
            switch (record) {
                case PartitionPut(UUID topic, PartitionImage partition) -> {
                    if (!topic.equals(current)) {
                        current = topic;
                        listed.clear();
                    }
                    for (int replica : partition.replicas()) {
                        next = with(next, replica, topic, listed);
                    }
                    for (int inSync : partition.isr()) {
                        next = with(next, inSync, topic, listed);
                    }
                    if (partition.hasLeader()) {
                        next = with(next, partition.leader(), topic, listed);
                    }
                }
                case TopicRemoved(UUID topic) -> {
                    next = without(next, topic);
                    listed.clear();
                }
                case ClusterIdentified _,ControllerElected _,NodePut _,NodeRemoved _,TopicPut _,ConfigPut _,ShardPut _ -> {
                    // Says nothing of partitions.
                }
            }
        }
        return new TopicsByBroker(next);
    }

    /// @param listed brokers for which nothing is left to do
    private static HashPMap<Integer, MapPSet<UUID>> with(HashPMap<Integer, MapPSet<UUID>> topics, int broker,
            UUID topic, Set<Integer> listed) {
        if (!listed.add(broker)) {
            return topics;
        }
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
