package io.millrace.coordinator.lag;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Asks leaders where partitions end, in one request each.
@Slf4j
final class LogEnds {
    private static final long LATEST = -1;
    private static final int CONSUMER = -1;

    private final NodeClient brokers;
    private final Supplier<ClusterImage> image;
    private final String listener;
    private final Duration timeout;

    /// @param image the newest one
    /// @param listener of brokers, by its name
    /// @param timeout of each request
    LogEnds(NodeClient brokers, Supplier<ClusterImage> image, String listener, Duration timeout) {
        this.brokers = brokers;
        this.image = image;
        this.listener = listener;
        this.timeout = timeout;
    }

    /// The ends of those whose leaders answer; never fails.
    CompletableFuture<Map<PartitionName, Long>> of(Collection<PartitionName> partitions) {
        var now = image.get();
        var byLeader = new LinkedHashMap<NodeAddress, Map<String, ListOffsetsTopic>>();
        for (var partition : partitions) {
            now.partition(partition.topic(), partition.partition()).flatMap(found -> now.broker(found.leader()))
                    .flatMap(node -> node.endpoint(listener))
                    .ifPresent(end -> byLeader.computeIfAbsent(new NodeAddress(end.host(), end.port()),
                            _ -> new HashMap<>())
                            .computeIfAbsent(partition.topic(), name -> new ListOffsetsTopic().setName(name))
                            .partitions().add(new ListOffsetsPartition().setPartitionIndex(partition.partition())
                                    .setTimestamp(LATEST)));
        }
        var answers = byLeader.entrySet().stream().map(entry -> ask(entry.getKey(), entry.getValue())).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).thenApply(_ -> {
            var ends = new HashMap<PartitionName, Long>();
            answers.forEach(answer -> ends.putAll(answer.join()));
            return ends;
        });
    }

    private CompletableFuture<Map<PartitionName, Long>> ask(NodeAddress leader, Map<String, ListOffsetsTopic> topics) {
        var request = new ListOffsetsRequestData().setReplicaId(CONSUMER);
        request.topics().addAll(topics.values());
        return brokers.<ListOffsetsResponseData>send(leader, request, timeout).thenApply(LogEnds::read)
                .exceptionally(failure -> {
                    log.debug("ends unknown leader={} reason=\"{}\"", leader, failure.toString());
                    return Map.of();
                });
    }

    private static Map<PartitionName, Long> read(ListOffsetsResponseData answer) {
        var ends = new HashMap<PartitionName, Long>();
        for (var topic : answer.topics()) {
            for (var partition : topic.partitions()) {
                if (partition.errorCode() == Errors.NONE.code()) {
                    ends.put(new PartitionName(topic.name(), partition.partitionIndex()), partition.offset());
                }
            }
        }
        return ends;
    }
}
