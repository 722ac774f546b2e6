package io.millrace.service.protocol;

import java.util.List;
import java.util.UUID;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import org.apache.kafka.common.protocol.Errors;

/// A partition as the clients of one listener see it. **pure**
///
/// @param error why it cannot be used as it stands
/// @param leader -1 where it has none that these clients can reach
/// @param offline replicas whose broker is away, or whose log directory failed
record PartitionView(PartitionImage partition, Errors error, int leader, List<Integer> replicas, List<Integer> isr,
        List<Integer> offline) {

    /// What a client of that listener may make of the answer.
    ///
    /// @param liveReplicasOnly Metadata v0: replicas that are away are left out, and their absence is an error
    /// @param knowsListenerErrors Metadata v6 and later: a leader without that listener has an error of its own
    record Reader(String listener, boolean liveReplicasOnly, boolean knowsListenerErrors) {

        /// Who reads Metadata of that version.
        static Reader ofMetadata(String listener, short version) {
            return new Reader(listener, version == 0, version >= 6);
        }
    }

    static PartitionView of(ClusterImage image, UUID topicId, PartitionImage partition, Reader reader) {
        var offline = partition.replicas()
                .stream()
                .filter(broker -> !ListedNode.isLive(image, broker) || image.broker(broker)
                        .filter(live -> live.isFailed(topicId, partition.partition()))
                        .isPresent())
                .toList();
        var replicas = reader.liveReplicasOnly()
                ? reachable(image, partition.replicas(), reader)
                : partition.replicas();
        var isr = reader.liveReplicasOnly() ? reachable(image, partition.isr(), reader) : partition.isr();
        if (ListedNode.broker(image, partition.leader(), reader.listener()).isEmpty()) {
            var error = reader.knowsListenerErrors() && ListedNode.isLive(image, partition.leader())
                    ? Errors.LISTENER_NOT_FOUND
                    : Errors.LEADER_NOT_AVAILABLE;
            return new PartitionView(partition, error, PartitionImage.NO_LEADER, replicas, isr, offline);
        }
        boolean allThere = replicas.size() == partition.replicas().size() && isr.size() == partition.isr().size();
        return new PartitionView(partition, allThere ? Errors.NONE : Errors.REPLICA_NOT_AVAILABLE, partition.leader(),
                replicas, isr, offline);
    }

    private static List<Integer> reachable(ClusterImage image, List<Integer> brokers, Reader reader) {
        return brokers.stream().filter(broker -> ListedNode.broker(image, broker, reader.listener()).isPresent())
                .toList();
    }
}
