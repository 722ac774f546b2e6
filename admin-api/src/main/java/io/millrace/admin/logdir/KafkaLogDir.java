package io.millrace.admin.logdir;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// @param state `ONLINE` or `OFFLINE`
/// @param totalBytes of the disk; null where it does not say
record KafkaLogDir(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        int brokerId,
        String path,
        String state,
        @Nullable Long totalBytes,
        @Nullable Long usableBytes,
        List<Replica> replicas) {

    /// @param offsetLag how far it is behind what is replicated
    /// @param isFuture whether it is about to replace one in another directory
    record Replica(String topicName, int partitionId, long size, long offsetLag, boolean isFuture) {}

    /// @param topic whose replicas are told of; empty: all
    static KafkaLogDir of(String clusterId, int broker, DescribeLogDirsResult told, String topic, Links links) {
        var replicas = told.topics().stream()
                .filter(found -> topic.isEmpty() || found.name().equals(topic))
                .flatMap(found -> found.partitions().stream().map(replica -> new Replica(found.name(), replica
                        .partitionIndex(), replica.partitionSize(), replica.offsetLag(), replica.isFutureKey())))
                .sorted(java.util.Comparator.comparing(Replica::topicName).thenComparingInt(Replica::partitionId))
                .toList();
        return new KafkaLogDir("KafkaLogDir", links.metadata(clusterId, new Object[]{"broker", broker, "log-dir"},
                "brokers", broker, "log-dirs"), clusterId, broker, told.logDir(), told.errorCode() == Errors.NONE.code()
                        ? "ONLINE"
                        : "OFFLINE", known(told.totalBytes()), known(told.usableBytes()), replicas);
    }

    private static @Nullable Long known(long bytes) {
        return bytes < 0 ? null : bytes;
    }
}
