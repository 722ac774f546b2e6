package io.millrace.broker;

import java.util.Optional;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// Whether a broker is in sync wherever it can be: a roll that takes the next broker away before that would leave partitions
/// with too few. It does not wait for what nobody can give it: partitions without a living leader, those whose disk failed
/// here, and those that a reassignment is only bringing.
final class CaughtUp {
    private final int broker;
    private final Supplier<ClusterImage> images;
    private volatile @Nullable Looked last;

    private record Looked(MetadataVersion version, Optional<String> whyNot) {}

    /// @param images the newest image
    CaughtUp(int broker, Supplier<ClusterImage> images) {
        this.broker = broker;
        this.images = images;
    }

    /// Looks at every partition, once for each image. Any thread.
    Optional<String> whyNot() {
        var image = images.get();
        var known = last;
        if (known != null && known.version().equals(image.version())) {
            return known.whyNot();
        }
        var whyNot = whyNot(image, broker);
        last = new Looked(image.version(), whyNot);
        return whyNot;
    }

    /// Names the first partition found out of sync, and how many there are.
    static Optional<String> whyNot(ClusterImage image, int broker) {
        var self = image.broker(broker);
        int behind = 0;
        String first = "";
        for (var topic : image.topics().all()) {
            for (var partition : topic.partitions()) {
                if (isBehind(image, partition, broker) && !self.map(node -> node.isFailed(topic.id(), partition
                        .partition())).orElse(false)) {
                    behind++;
                    first = topic.name() + "-" + partition.partition();
                }
            }
        }
        return behind == 0
                ? Optional.empty()
                : Optional.of("out of sync in " + behind + " partitions, such as " + first);
    }

    private static boolean isBehind(ClusterImage image, PartitionImage partition, int broker) {
        return partition.isReplica(broker) && !partition.isr().contains(broker) && !partition.adding().contains(broker)
                && partition.leader() != broker && image.broker(partition.leader()).map(NodeImage::active).orElse(
                        false);
    }
}
