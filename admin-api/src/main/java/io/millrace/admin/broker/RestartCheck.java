package io.millrace.admin.broker;

import java.util.ArrayList;
import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;

/// What a restart of a broker would cost, by the metadata. **pure**
///
/// @param safe whether nothing would stop working
/// @param wouldBeOffline partitions that nobody else could lead
/// @param wouldBeUnderMinIsr partitions that would take no writes with acks=all
/// @param notCaughtUp partitions that it is not in sync with, and that would be set back
/// @param isLastIsr partitions of several replicas of which it is the last one in sync
record RestartCheck(String kind, String clusterId, int brokerId, boolean safe, List<Named> wouldBeOffline,
        List<Named> wouldBeUnderMinIsr, List<Named> notCaughtUp, List<Named> isLastIsr) {

    record Named(String topicName, int partitionId) {}

    static RestartCheck of(ClusterImage image, int broker) {
        var offline = new ArrayList<Named>();
        var underMin = new ArrayList<Named>();
        var behind = new ArrayList<Named>();
        var last = new ArrayList<Named>();
        for (var topic : image.topics().all()) {
            int least = minIsr(image, topic.name());
            for (var partition : topic.partitions()) {
                if (!partition.isReplica(broker)) {
                    continue;
                }
                var named = new Named(topic.name(), partition.partition());
                if (!partition.isr().contains(broker)) {
                    behind.add(named);
                    continue;
                }
                long others = othersInSync(image, partition, broker);
                if (others == 0) {
                    offline.add(named);
                } else if (others < Math.min(least, partition.replicas().size())) {
                    underMin.add(named);
                }
                if (partition.isr().size() == 1 && partition.replicas().size() > 1) {
                    last.add(named);
                }
            }
        }
        return new RestartCheck("KafkaRestartCheck", image.clusterId(), broker, offline.isEmpty() && underMin.isEmpty()
                && behind.isEmpty(), List.copyOf(offline), List.copyOf(underMin), List.copyOf(behind), List.copyOf(
                        last));
    }

    private static long othersInSync(ClusterImage image, PartitionImage partition, int broker) {
        return partition.isr().stream().filter(id -> id != broker).filter(id -> image.broker(id).filter(
                NodeImage::active).isPresent()).count();
    }

    private static int minIsr(ClusterImage image, String topic) {
        var set = image.topicConfig(topic).getOrDefault("min.insync.replicas", image.configs().of(ConfigResource
                .allBrokers()).getOrDefault("min.insync.replicas", "1")).strip();
        return set.matches("\\d{1,4}") ? Integer.parseInt(set) : 1;
    }
}
