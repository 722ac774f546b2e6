package io.millrace.admin.upstream;

import java.util.List;

import io.millrace.admin.problem.KafkaProblems;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Records deleted by the leaders of their partitions.
public final class Deletions {
    private final Cluster cluster;

    /// @param cluster where the leaders are
    public Deletions(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Deletes all records of `partition` before that offset.
    ///
    /// @param offset -1: all that there are
    /// @return offset of the first record that is left
    /// @throws io.millrace.admin.problem.Problem where the leader refuses it
    public long before(TopicPartition partition, long offset) {
        var leader = cluster.leader(partition).orElseThrow(() -> KafkaProblems.problem(Errors.LEADER_NOT_AVAILABLE,
                null));
        var request = new DeleteRecordsRequestData().setTimeoutMs((int) cluster.timeout().toMillis())
                .setTopics(List.of(new DeleteRecordsTopic().setName(partition.topic()).setPartitions(List.of(
                        new DeleteRecordsPartition().setPartitionIndex(partition.partition()).setOffset(offset)))));
        var told = Cluster.join(cluster.<DeleteRecordsResponseData>ask(leader, request)).topics().find(partition
                .topic()).partitions().find(partition.partition());
        KafkaProblems.check(told.errorCode(), null);
        return told.lowWatermark();
    }
}
