package io.millrace.broker.fetch;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;

import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;

/// Names the replica that a consumer had better read from (KIP-392).
@FunctionalInterface
public interface ClosestReplica {
    /// Kafka's names of the rules, as `replica.selector.class` has them.
    String BY_RACK = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
    /// The rule that there is none.
    String LEADER = "org.apache.kafka.common.replica.LeaderSelector";

    /// Everybody reads from the leader.
    ClosestReplica NONE = (_, _, _) -> OptionalInt.empty();

    /// The broker to send a consumer to that reads at `offset`; empty where it had better stay.
    ///
    /// @param partition that this broker leads
    /// @param rack where the consumer stands; empty where it does not say
    OptionalInt of(Partition partition, long offset, String rack);

    /// The rule by racks.
    ///
    /// @param self this broker's id
    /// @param images the newest image
    static ClosestReplica byRack(int self, Supplier<ClusterImage> images) {
        return (partition, offset, rack) -> {
            if (rack.isEmpty() || rack.equals(rackOf(self, images.get()))) {
                return OptionalInt.empty();
            }
            var image = images.get();
            return furthest(partition.asLeader().followersWith(offset)
                    .stream()
                    .filter(follower -> rack.equals(rackOf(follower.broker(), image)))
                    .toList());
        };
    }

    private static OptionalInt furthest(List<FollowerFacts> followers) {
        return followers.stream().max(Comparator.comparingLong(FollowerFacts::logEndOffset)).map(follower -> OptionalInt
                .of(follower.broker())).orElse(OptionalInt.empty());
    }

    /// Of a broker that is alive; empty for another one, or where it stands in none.
    private static String rackOf(int broker, ClusterImage image) {
        return image.broker(broker).filter(NodeImage::active).map(NodeImage::rack).orElse("");
    }
}
