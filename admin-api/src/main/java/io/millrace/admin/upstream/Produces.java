package io.millrace.admin.upstream;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.service.protocol.TopicIds;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/// Records written to the leaders of their partitions.
public final class Produces {
    private static final short ALL = -1;

    private final Cluster cluster;

    /// @param cluster where the leaders are
    public Produces(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Where a record came to lie.
    ///
    /// @param timestamp the leader's; -1 where the record kept its own
    public record Written(long offset, long timestamp) {}

    /// Writes one record; done once all replicas in sync have it.
    ///
    /// @return fails with a [io.millrace.admin.problem.Problem] where the leader refuses it
    public CompletableFuture<Written> write(TopicPartition partition, SimpleRecord record) {
        var leader = cluster.leader(partition).orElseThrow(() -> KafkaProblems.problem(Errors.LEADER_NOT_AVAILABLE,
                null));
        var data = new TopicProduceData().setName(partition.topic()).setTopicId(cluster.image().topic(partition.topic())
                .map(topic -> TopicIds.toKafka(topic.id())).orElse(org.apache.kafka.common.Uuid.ZERO_UUID))
                .setPartitionData(List.of(new PartitionProduceData().setIndex(partition.partition())
                        .setRecords(MemoryRecords.withRecords(Compression.NONE, record))));
        var topics = new TopicProduceDataCollection(1);
        topics.add(data);
        var request = new ProduceRequestData().setAcks(ALL).setTimeoutMs((int) cluster.timeout().toMillis())
                .setTopicData(topics);
        return cluster.<ProduceResponseData>ask(leader, request).thenApply(answer -> {
            var told = answer.responses().iterator().next().partitionResponses().getFirst();
            KafkaProblems.check(told.errorCode(), told.errorMessage());
            return new Written(told.baseOffset(), told.logAppendTimeMs());
        });
    }
}
