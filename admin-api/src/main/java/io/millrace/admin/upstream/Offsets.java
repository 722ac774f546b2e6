package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.metadata.image.NodeImage;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Offsets of partitions, asked of their leaders.
@Slf4j
public final class Offsets {
    private static final int CONSUMER = -1;

    private final Cluster cluster;

    /// @param cluster where the leaders are
    public Offsets(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Where in a partition; the values are the protocol's own (ListOffsets).
    public enum Position {
        LATEST(-1), EARLIEST(-2);

        private final long timestamp;

        Position(long timestamp) {
            this.timestamp = timestamp;
        }
    }

    /// What the leaders answered. A partition without a leader, or whose leader did not answer, has an error: one dead
    /// broker does not empty the answer.
    public record Found(Map<TopicPartition, Long> offsets, Map<TopicPartition, Errors> errors) {

        /// The offset of one partition.
        ///
        /// @throws io.millrace.admin.problem.Problem where there is an error in its place
        public long require(TopicPartition partition) {
            var offset = offsets.get(partition);
            if (offset == null) {
                throw KafkaProblems.problem(errors.getOrDefault(partition, Errors.LEADER_NOT_AVAILABLE), null);
            }
            return offset;
        }
    }

    /// Asks every leader concerned at once.
    public Found of(Collection<TopicPartition> partitions, Position position) {
        return ask(partitions, position.timestamp, IsolationLevel.READ_UNCOMMITTED);
    }

    /// Up to where readers of committed records may read: the first offset of the oldest open transaction, or the high
    /// watermark.
    public Found lastStable(Collection<TopicPartition> partitions) {
        return ask(partitions, Position.LATEST.timestamp, IsolationLevel.READ_COMMITTED);
    }

    /// The first records that are as young as `timestampMillis`; where there is none, the end.
    public Found after(Collection<TopicPartition> partitions, long timestampMillis) {
        var found = ask(partitions, timestampMillis, IsolationLevel.READ_UNCOMMITTED);
        var older = found.offsets.entrySet().stream().filter(entry -> entry.getValue() < 0).map(Map.Entry::getKey)
                .toList();
        found.offsets.putAll(of(older, Position.LATEST).offsets);
        return found;
    }

    private Found ask(Collection<TopicPartition> partitions, long timestamp, IsolationLevel isolation) {
        var found = new Found(new HashMap<>(), new HashMap<>());
        var byLeader = new HashMap<NodeImage, List<TopicPartition>>();
        for (var partition : partitions) {
            var leader = cluster.leader(partition);
            leader.ifPresentOrElse(node -> byLeader.computeIfAbsent(node, _ -> new ArrayList<>()).add(partition),
                    () -> found.errors.put(partition, Errors.LEADER_NOT_AVAILABLE));
        }
        var answers = byLeader.entrySet().stream()
                .map(entry -> new Asked(entry.getKey(), entry.getValue(),
                        cluster.ask(entry.getKey(), request(entry.getValue(), timestamp, isolation))))
                .toList();
        answers.forEach(asked -> collect(asked, found));
        return found;
    }

    private record Asked(NodeImage leader, List<TopicPartition> partitions,
            CompletableFuture<ListOffsetsResponseData> answer) {}

    private static void collect(Asked asked, Found found) {
        try {
            for (var topic : Cluster.join(asked.answer).topics()) {
                for (var partition : topic.partitions()) {
                    var key = new TopicPartition(topic.name(), partition.partitionIndex());
                    if (partition.errorCode() == Errors.NONE.code()) {
                        found.offsets.put(key, partition.offset());
                    } else {
                        found.errors.put(key, Errors.forCode(partition.errorCode()));
                    }
                }
            }
        } catch (RuntimeException failure) {
            log.warn("event=list-offsets-failed broker={} cause=\"{}\"", asked.leader.id(), failure.toString());
            asked.partitions.forEach(partition -> found.errors.put(partition, Errors.BROKER_NOT_AVAILABLE));
        }
    }

    private static ListOffsetsRequestData request(List<TopicPartition> partitions, long timestamp,
            IsolationLevel isolation) {
        var topics = new HashMap<String, ListOffsetsTopic>();
        for (var partition : partitions) {
            topics.computeIfAbsent(partition.topic(), name -> new ListOffsetsTopic().setName(name)).partitions()
                    .add(new ListOffsetsPartition().setPartitionIndex(partition.partition())
                            .setTimestamp(timestamp));
        }
        return new ListOffsetsRequestData().setReplicaId(CONSUMER).setIsolationLevel(isolation.id())
                .setTopics(List.copyOf(topics.values()));
    }
}
