package io.millrace.admin.plan;

import java.util.List;
import java.util.function.ToLongFunction;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import org.jspecify.annotations.Nullable;

/// How evenly brokers bear what there is.
///
/// @param score 0 to 100: 100 where all bear the same of each measure
record KafkaBalance(String kind, ResourceMetadata metadata, String clusterId, int score, List<BrokerLoad> brokers,
        List<Skew> skews, int nonPreferredLeaders, int partitionsWithSharedRacks) {

    record BrokerLoad(int brokerId, @Nullable String rack, long replicas, long leaders, long bytes) {}

    /// @param measure `REPLICAS`, `LEADERS` or `BYTES`
    /// @param least that a broker bears
    /// @param skew how far the most loaded broker is above the average: 0.5 is half as much again
    record Skew(String measure, long least, long most, double average, double skew) {}

    static KafkaBalance of(ClusterImage image, Layout layout, Links links) {
        var loads = layout.brokers().stream().map(id -> new BrokerLoad(id, layout.rack(id), layout.load(id).replicas(),
                layout.load(id).leaders(), layout.load(id).bytes())).toList();
        var skews = List.of(skew("REPLICAS", loads, BrokerLoad::replicas), skew("LEADERS", loads, BrokerLoad::leaders),
                skew("BYTES", loads, BrokerLoad::bytes));
        double mean = skews.stream().mapToDouble(Skew::skew).average().orElse(0);
        int notPreferred = (int) image.topics().all().stream().flatMap(topic -> topic.partitions().stream()).filter(
                partition -> partition.hasLeader() && partition.leader() != partition.replicas().getFirst()).count();
        int racks = layout.brokers().stream().map(layout::rack).collect(java.util.stream.Collectors.toSet()).size();
        int shared = (int) layout.partitions().stream().map(layout::replicas).filter(replicas -> layout.spread(
                replicas) < Math.min(replicas.size(), racks)).count();
        return new KafkaBalance("KafkaBalance", links.metadata(image.clusterId(), new Object[]{"balance"}, "balance"),
                image.clusterId(), (int) Math.round(100 / (1 + mean)), loads, skews, notPreferred, shared);
    }

    private static Skew skew(String measure, List<BrokerLoad> loads, ToLongFunction<BrokerLoad> of) {
        var statistics = loads.stream().mapToLong(of).summaryStatistics();
        double average = statistics.getAverage();
        return new Skew(measure, loads.isEmpty() ? 0 : statistics.getMin(), loads.isEmpty() ? 0 : statistics.getMax(),
                average, average == 0 ? 0 : (statistics.getMax() - average) / average);
    }
}
