package io.millrace.controller.core;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;

/// Elections in a decision: partitions that were there before and get another leader.
///
/// @param unclean those among them that went to a replica which may miss acknowledged records
record ElectionCount(int all, int unclean) {

    /// A partition may change more than once: who joins the ISR in one step may well lead in the next. What was found in
    /// ZooKeeper, and not written by this decision, was counted when it was decided.
    static ElectionCount of(ClusterImage before, Decision decision) {
        var written = written(decision);
        if (written.isEmpty()) {
            return new ElectionCount(0, 0);
        }
        var latest = new HashMap<Place, PartitionImage>();
        var now = decision.next().image();
        int all = 0;
        int unclean = 0;
        for (var record : decision.records()) {
            if (record instanceof PartitionPut(UUID topicId, PartitionImage after)) {
                var known = Optional.ofNullable(latest.put(new Place(topicId, after.partition()), after))
                        .or(() -> before.topic(topicId).flatMap(topic -> topic.partition(after.partition())))
                        .filter(_ -> written.contains(after));
                all += known.filter(was -> after.hasLeader() && was.leader() != after.leader()).isPresent() ? 1 : 0;
                unclean += known.filter(was -> Leadership.wasUnclean(was, after, id -> life(now, id))).isPresent()
                        ? 1
                        : 0;
            }
        }
        return new ElectionCount(all, unclean);
    }

    private static String life(ClusterImage image, int broker) {
        return image.broker(broker).map(NodeImage::life).orElse("");
    }

    private record Place(UUID topicId, int partition) {}

    private static Set<PartitionImage> written(Decision decision) {
        Set<PartitionImage> written = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var write : decision.writes()) {
            if (write instanceof StoreWrite.StateWrite state) {
                written.add(state.partition());
            }
        }
        return written;
    }
}
