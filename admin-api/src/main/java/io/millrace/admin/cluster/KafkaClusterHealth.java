package io.millrace.admin.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// How a cluster is, by its metadata and by what was last seen of its transactions.
///
/// @param status `OK`; `DEGRADED` where something is missing and everything works; `CRITICAL` where something does not work
/// @param leaderless partitions that nobody leads
/// @param underReplicated partitions with a replica that is not in sync
/// @param underMinIsr partitions that take no writes with acks=all
/// @param atMinIsr partitions that will not, once one more replica is lost
/// @param nonPreferredLeaders partitions led by another than their first replica
/// @param offlineReplicas replicas whose log directory failed
/// @param moving partitions on their way to other brokers
/// @param hangingTransactions that hold back readers and that no coordinator knows, as of a minute ago or less; null before they
///        were looked for
/// @param metadataAgeMs how old these metadata may be; 0: they are the newest
record KafkaClusterHealth(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String status,
        boolean controllerPresent,
        int leaderless,
        int underReplicated,
        int underMinIsr,
        int atMinIsr,
        int nonPreferredLeaders,
        int offlineReplicas,
        int fencedBrokers,
        int drainingBrokers,
        int moving,
        int shardsWithoutOwner,
        @Nullable Integer hangingTransactions,
        long metadataAgeMs,
        List<Reason> reasons) {
    private static final long OLD_MILLIS = 10_000;
    private static final int MOST_REASONS = 100;

    /// @param related URL of what it is about
    record Reason(String severity, String message, String related) {}

    static KafkaClusterHealth of(ClusterImage image, long ageMillis, OptionalInt hanging,
            Links links) {
        var count = new Count(image, links);
        image.topics().all().forEach(topic -> topic.partitions().forEach(partition -> count.add(topic.name(),
                partition)));
        var brokers = image.nodes().of(Role.BROKER);
        int fenced = (int) brokers.stream().filter(broker -> broker.state() == NodeState.FENCED).count();
        int draining = (int) brokers.stream().filter(broker -> broker.state() == NodeState.SHUTTING_DOWN).count();
        int failed = brokers.stream().mapToInt(broker -> broker.failedReplicas().values().stream().mapToInt(
                java.util.Set::size).sum()).sum();
        int ownerless = (int) image.groupShards().all().stream().filter(shard -> image.coordinator(shard.owner())
                .filter(node -> node.active()).isEmpty()).count();
        boolean controller = image.controllerId() >= 0;
        count.note(!controller, "CRITICAL", "no controller is active", "controller");
        count.note(ageMillis > OLD_MILLIS, "DEGRADED", "the metadata are " + ageMillis + " ms old", "controller");
        count.note(fenced > 0, "DEGRADED", fenced + " brokers are registered and not there", "brokers");
        count.note(failed > 0, "DEGRADED", failed + " replicas are on failed log directories", "log-dirs");
        count.note(ownerless > 0, "CRITICAL", ownerless + " shards of groups have no coordinator", "coordinators");
        count.note(hanging.orElse(0) > 0, "DEGRADED", hanging.orElse(0)
                + " transactions that no coordinator knows hold back readers", "transactions:hanging");
        return new KafkaClusterHealth("KafkaClusterHealth", links.metadata(image.clusterId(), new Object[]{"health"},
                "health"), image.clusterId(), count.status(), controller, count.leaderless, count.under, count.underMin,
                count.atMin, count.notPreferred, failed, fenced, draining, count.moving, ownerless,
                hanging.isPresent() ? hanging.getAsInt() : null, ageMillis,
                List.copyOf(count.reasons));
    }

    /// Counts while it looks at one partition after the other.
    private static final class Count {
        private final ClusterImage image;
        private final Links links;
        private final List<Reason> reasons = new ArrayList<>();
        private boolean critical;
        private int leaderless;
        private int under;
        private int underMin;
        private int atMin;
        private int notPreferred;
        private int moving;

        Count(ClusterImage image, Links links) {
            this.image = image;
            this.links = links;
        }

        void add(String topic, PartitionImage partition) {
            int least = minIsr(topic);
            var path = new Object[]{"topics", topic, "partitions", partition.partition()};
            var name = topic + "-" + partition.partition();
            if (!partition.hasLeader()) {
                leaderless++;
                note(true, "CRITICAL", name + " has no leader", path);
            } else if (partition.isr().size() < least) {
                underMin++;
                note(true, "CRITICAL", name + " has too few replicas in sync for acks=all", path);
            } else if (partition.isr().size() == least && partition.replicas().size() > least) {
                atMin++;
            }
            if (partition.underReplicated()) {
                under++;
                note(true, "DEGRADED", name + " is under-replicated", path);
            }
            if (partition.hasLeader() && partition.leader() != partition.replicas().getFirst()) {
                notPreferred++;
            }
            if (partition.isMoving()) {
                moving++;
            }
        }

        /// What is set; a broker's own file is not known here.
        private int minIsr(String topic) {
            var set = image.topicConfig(topic).getOrDefault("min.insync.replicas", image.configs().of(ConfigResource
                    .allBrokers()).getOrDefault("min.insync.replicas", "1"));
            return set.strip().matches("\\d{1,4}") ? Integer.parseInt(set.strip()) : 1;
        }

        void note(boolean holds, String severity, String message, Object... path) {
            if (!holds) {
                return;
            }
            critical |= severity.equals("CRITICAL");
            if (reasons.size() < MOST_REASONS) {
                reasons.add(new Reason(severity, message, links.cluster(image.clusterId(), path)));
            }
        }

        String status() {
            if (critical) {
                return "CRITICAL";
            }
            return reasons.isEmpty() ? "OK" : "DEGRADED";
        }
    }
}
