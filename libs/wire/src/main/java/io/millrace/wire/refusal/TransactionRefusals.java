package io.millrace.wire.refusal;

import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;

/// Of the APIs about transactions.
final class TransactionRefusals {
    private static final short FIRST_ADD_WITH_ERROR_OF_THE_WHOLE = 4;

    private TransactionRefusals() {}

    static AddPartitionsToTxnResponseData addPartitions(AddPartitionsToTxnRequestData request, Refusal refusal) {
        var answer = new AddPartitionsToTxnResponseData();
        if (refusal.version() >= FIRST_ADD_WITH_ERROR_OF_THE_WHOLE) {
            return answer.setErrorCode(refusal.code());
        }
        for (var topic : request.v3AndBelowTopics()) {
            var refused = new AddPartitionsToTxnTopicResult().setName(topic.name());
            topic.partitions().forEach(partition -> refused.resultsByPartition().add(
                    new AddPartitionsToTxnPartitionResult().setPartitionIndex(partition)
                            .setPartitionErrorCode(refusal.code())));
            answer.resultsByTopicV3AndBelow().add(refused);
        }
        return answer;
    }

    static TxnOffsetCommitResponseData offsetCommit(TxnOffsetCommitRequestData request, Refusal refusal) {
        var answer = new TxnOffsetCommitResponseData();
        for (var topic : request.topics()) {
            var refused = new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions().forEach(partition -> refused.partitions().add(
                    new TxnOffsetCommitResponsePartition().setPartitionIndex(partition.partitionIndex())
                            .setErrorCode(refusal.code())));
            answer.topics().add(refused);
        }
        return answer;
    }

    static WriteTxnMarkersResponseData writeMarkers(WriteTxnMarkersRequestData request, Refusal refusal) {
        var answer = new WriteTxnMarkersResponseData();
        request.markers().forEach(marker -> answer.markers().add(marker(marker, refusal)));
        return answer;
    }

    private static WritableTxnMarkerResult marker(WritableTxnMarker marker, Refusal refusal) {
        var refused = new WritableTxnMarkerResult().setProducerId(marker.producerId());
        for (var topic : marker.topics()) {
            refused.topics().add(new WritableTxnMarkerTopicResult().setName(topic.name())
                    .setPartitions(topic.partitionIndexes().stream()
                            .map(partition -> new WritableTxnMarkerPartitionResult().setPartitionIndex(partition)
                                    .setErrorCode(refusal.code()))
                            .toList()));
        }
        return refused;
    }

    static DescribeProducersResponseData describeProducers(DescribeProducersRequestData request, Refusal refusal) {
        var answer = new DescribeProducersResponseData();
        for (var topic : request.topics()) {
            answer.topics().add(new DescribeProducersResponseData.TopicResponse().setName(topic.name())
                    .setPartitions(topic.partitionIndexes().stream()
                            .map(partition -> new DescribeProducersResponseData.PartitionResponse()
                                    .setPartitionIndex(partition).setErrorCode(refusal.code())
                                    .setErrorMessage(refusal.message()))
                            .toList()));
        }
        return answer;
    }

    static DescribeTransactionsResponseData describe(DescribeTransactionsRequestData request, Refusal refusal) {
        var answer = new DescribeTransactionsResponseData();
        request.transactionalIds().forEach(id -> answer.transactionStates().add(
                new DescribeTransactionsResponseData.TransactionState().setTransactionalId(id)
                        .setErrorCode(refusal.code())));
        return answer;
    }
}
