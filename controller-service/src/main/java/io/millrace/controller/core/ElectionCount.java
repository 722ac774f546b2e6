package io.millrace.controller.core;

import java.util.List;

import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;

/// Elections in a decision: partitions that were there before and have another leader after.
///
/// @param unclean those among them that went to a replica which may miss acknowledged records
record ElectionCount(int all, int unclean) {

    static ElectionCount of(ClusterImage before, List<MetadataRecord> records) {
        int all = 0;
        int unclean = 0;
        for (var record : records) {
            if (record instanceof PartitionPut(var topicId, var after)) {
                var known = before.topic(topicId).flatMap(topic -> topic.partition(after.partition()));
                all += known.filter(partition -> after.hasLeader() && partition.leader() != after.leader()).isPresent()
                        ? 1
                        : 0;
                unclean += known.filter(partition -> Leadership.wasUnclean(partition, after)).isPresent() ? 1 : 0;
            }
        }
        return new ElectionCount(all, unclean);
    }
}
