package io.millrace.controller.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;

/// Which leaderships go back to their preferred leaders, as Kafka decides it: those of brokers that lead too few of the
/// partitions that name them first. Looks at every partition there is.
///
/// @param percentage `leader.imbalance.per.broker.percentage`: of the partitions that name a broker first, how many others
///        may lead before anything is moved
public record LeaderBalance(int percentage) {

    /// Those whose preferred leader is alive and in sync, and should lead again.
    public List<TopicPartition> toGiveBack(ClusterImage image) {
        var shares = shares(image);
        var live = LiveReplicas.of(image);
        var found = new ArrayList<TopicPartition>();
        for (var topic : image.topics().all()) {
            for (var partition : topic.partitions()) {
                var share = shares.getOrDefault(partition.replicas().getFirst(), Share.NONE);
                if (isImbalanced(share) && mayMove(partition) && Leadership.preferred(partition, live.of(topic.id(),
                        partition.partition())).isPresent()) {
                    found.add(new TopicPartition(topic.name(), partition.partition()));
                }
            }
        }
        return found;
    }

    /// @param preferred how many partitions name the broker first
    /// @param elsewhere how many of them another broker leads, or nobody
    private record Share(int preferred, int elsewhere) {
        static final Share NONE = new Share(0, 0);
    }

    private static Map<Integer, Share> shares(ClusterImage image) {
        var shares = new HashMap<Integer, Share>();
        for (var topic : image.topics().all()) {
            for (var partition : topic.partitions()) {
                int first = partition.replicas().getFirst();
                shares.merge(first, new Share(1, partition.leader() == first ? 0 : 1), (some, more) -> new Share(some
                        .preferred() + more.preferred(), some.elsewhere() + more.elsewhere()));
            }
        }
        return shares;
    }

    private boolean isImbalanced(Share share) {
        return share.elsewhere() * 100L > (long) percentage * share.preferred();
    }

    private static boolean mayMove(PartitionImage partition) {
        return partition.leader() != partition.replicas().getFirst() && partition.adding().isEmpty() && partition
                .removing()
                .isEmpty();
    }
}
