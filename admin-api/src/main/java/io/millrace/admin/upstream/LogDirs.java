package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.metadata.image.NodeImage;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;

/// What lies in the log directories of brokers, asked of themselves.
@Slf4j
public final class LogDirs {
    private final Cluster cluster;

    /// @param cluster where the brokers are
    public LogDirs(Cluster cluster) {
        this.cluster = cluster;
    }

    /// The directories of each of `brokers` that answers: a dead one does not empty the answer.
    public Map<NodeImage, List<DescribeLogDirsResult>> of(Collection<NodeImage> brokers) {
        var asked = new LinkedHashMap<NodeImage, CompletableFuture<DescribeLogDirsResponseData>>();
        brokers.forEach(broker -> asked.put(broker, cluster.ask(broker, new DescribeLogDirsRequestData().setTopics(
                null))));
        var found = new LinkedHashMap<NodeImage, List<DescribeLogDirsResult>>();
        asked.forEach((broker, answer) -> {
            try {
                var told = Cluster.join(answer);
                KafkaProblems.check(told.errorCode(), null);
                found.put(broker, new ArrayList<>(told.results()));
            } catch (RuntimeException failure) {
                log.warn("event=describe-log-dirs-failed broker={} cause=\"{}\"", broker.id(), failure.toString());
            }
        });
        return found;
    }

    /// The largest size in bytes that any replica of a partition has; partitions of which no broker told are left out.
    public Map<TopicPartition, Long> sizes() {
        var sizes = new HashMap<TopicPartition, Long>();
        of(cluster.image().liveBrokers()).values().stream().flatMap(List::stream).forEach(directory -> directory
                .topics()
                .forEach(topic -> topic.partitions().forEach(replica -> sizes.merge(new TopicPartition(topic.name(),
                        replica.partitionIndex()), replica.partitionSize(), Math::max))));
        return sizes;
    }

    /// The bytes that each broker holds of each partition.
    public Map<Integer, Map<TopicPartition, Long>> byBroker() {
        var held = new HashMap<Integer, Map<TopicPartition, Long>>();
        of(cluster.image().liveBrokers()).forEach((broker, directories) -> {
            var sizes = held.computeIfAbsent(broker.id(), _ -> new HashMap<>());
            directories.forEach(directory -> directory.topics().forEach(topic -> topic.partitions().forEach(
                    replica -> sizes.put(new TopicPartition(topic.name(), replica.partitionIndex()), replica
                            .partitionSize()))));
        });
        return held;
    }
}
