package io.millrace.admin.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.admin.operation.Move;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Moves that could be made, and what they would cost.
///
/// @param metadataOffset of the metadata that it is made of
/// @param bytesTotal that are copied
/// @param estimatedSeconds at the throttle; null where there is none
/// @param warnings what would be worse than it should be
record KafkaReassignmentPlan(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String planId,
        String goal,
        long createdAt,
        long metadataOffset,
        List<PlannedMove> moves,
        long bytesTotal,
        @Nullable Long throttleBytesPerSec,
        @Nullable Long estimatedSeconds,
        List<BrokerChange> brokers,
        List<String> warnings) {

    record PlannedMove(String topicName, int partitionId, List<Integer> from, List<Integer> to, long bytes) {}

    /// @param bytesIn that it gets
    /// @param bytesOut that it gives as a leader
    record BrokerChange(int brokerId, long bytesIn, long bytesOut, long replicasBefore, long replicasAfter,
            long leadersBefore, long leadersAfter, long bytesBefore, long bytesAfter) {}

    static KafkaReassignmentPlan of(Plans.Plan plan, ClusterImage image, Map<TopicPartition, Long> sizes, Links links) {
        var clusterId = image.clusterId();
        var before = new Layout(image, sizes);
        var after = new Layout(image, sizes);
        plan.moves().forEach(move -> after.put(new TopicPartition(move.topic(), move.partition()), move.to()));
        var in = new HashMap<Integer, Long>();
        var out = new HashMap<Integer, Long>();
        plan.moves().forEach(move -> {
            move.adding().forEach(broker -> in.merge(broker, move.bytes(), Long::sum));
            out.merge(move.from().getFirst(), move.bytes() * move.adding().size(), Long::sum);
        });
        long total = in.values().stream().mapToLong(Long::longValue).sum();
        var brokers = before.brokers().stream().map(id -> new BrokerChange(id, in.getOrDefault(id, 0L), out
                .getOrDefault(
                        id, 0L), before.load(id).replicas(), after.load(id).replicas(), before.load(id).leaders(), after
                                .load(id)
                                .leaders(), before.load(id).bytes(), after.load(id).bytes())).toList();
        return new KafkaReassignmentPlan("KafkaReassignmentPlan", links.metadata(clusterId, new Object[]{
                "reassignment-plan", plan.id()}, "reassignments", "plans", plan.id()), clusterId, plan.id(), plan
                        .goal(),
                plan.createdAt(), plan.offset(), plan.moves().stream().map(move -> new PlannedMove(move.topic(), move
                        .partition(), move.from(), move.to(), move.bytes())).toList(), total, plan.throttle(), seconds(
                                plan.throttle(), in), brokers, warnings(plan.moves(), image, after));
    }

    private static @Nullable Long seconds(@Nullable Long throttle, Map<Integer, Long> in) {
        return throttle == null
                ? null
                : in.values().stream().mapToLong(bytes -> Math.ceilDiv(bytes, throttle)).max().orElse(0);
    }

    private static List<String> warnings(List<Move> moves, ClusterImage image, Layout after) {
        var warnings = new ArrayList<String>();
        for (var move : moves) {
            var name = move.topic() + "-" + move.partition();
            var least = image.topicConfig(move.topic()).getOrDefault("min.insync.replicas", "1");
            if (least.matches("\\d{1,4}") && move.to().size() < Integer.parseInt(least)) {
                warnings.add(name + " would have fewer replicas than its min.insync.replicas");
            }
            if (after.spread(move.to()) < Math.min(move.to().size(), after.spread(move.from()))) {
                warnings.add(name + " would be in fewer racks");
            }
            if (move.to().size() == 1) {
                warnings.add(name + " would have one replica only");
            }
        }
        return warnings.size() > 100 ? List.copyOf(warnings.subList(0, 100)) : List.copyOf(warnings);
    }
}
