package io.millrace.wire.refusal;

import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The refusals of all APIs that are offered.
public final class Refusals {
    private Refusals() {}

    /// The answer to `request` in which every part carries `error`.
    ///
    /// @param message for people, where this version of the answer has room for it; null for none
    /// @throws IllegalArgumentException where the request's API is none of those offered
    public static ApiMessage refuse(ApiMessage request, Errors error, @Nullable String message, short version) {
        var refusal = new Refusal(error, message, version);
        return switch (request) {
            case ProduceRequestData produce -> LogRefusals.produce(produce, refusal);
            case FetchRequestData fetch -> LogRefusals.fetch(fetch, refusal);
            case ListOffsetsRequestData list -> LogRefusals.listOffsets(list, refusal);
            case OffsetForLeaderEpochRequestData epochs -> LogRefusals.offsetForLeaderEpoch(epochs, refusal);
            case DeleteRecordsRequestData delete -> LogRefusals.deleteRecords(delete, refusal);

            case FindCoordinatorRequestData find -> GroupRefusals.findCoordinator(find, refusal);
            case JoinGroupRequestData join -> GroupRefusals.joinGroup(join, refusal);
            case SyncGroupRequestData _ -> new SyncGroupResponseData().setErrorCode(error.code());
            case HeartbeatRequestData _ -> new HeartbeatResponseData().setErrorCode(error.code());
            case LeaveGroupRequestData _ -> new LeaveGroupResponseData().setErrorCode(error.code());
            case DescribeGroupsRequestData describe -> GroupRefusals.describeGroups(describe, refusal);
            case ListGroupsRequestData _ -> new ListGroupsResponseData().setErrorCode(error.code());
            case DeleteGroupsRequestData delete -> GroupRefusals.deleteGroups(delete, refusal);
            case OffsetCommitRequestData commit -> GroupRefusals.offsetCommit(commit, refusal);
            case OffsetFetchRequestData fetch -> GroupRefusals.offsetFetch(fetch, refusal);
            case ConsumerGroupHeartbeatRequestData _ ->
                new ConsumerGroupHeartbeatResponseData().setErrorCode(error.code()).setErrorMessage(message);
            case ConsumerGroupDescribeRequestData describe -> GroupRefusals.describeConsumerGroups(describe, refusal);
            case OffsetDeleteRequestData _ -> new OffsetDeleteResponseData().setErrorCode(error.code());

            case MetadataRequestData metadata -> AdminRefusals.metadata(metadata, refusal);
            case DescribeTopicPartitionsRequestData describe ->
                AdminRefusals.describeTopicPartitions(describe, refusal);
            case CreateTopicsRequestData create -> AdminRefusals.createTopics(create, refusal);
            case DeleteTopicsRequestData delete -> AdminRefusals.deleteTopics(delete, refusal);
            case CreatePartitionsRequestData create -> AdminRefusals.createPartitions(create, refusal);
            case DescribeConfigsRequestData describe -> AdminRefusals.describeConfigs(describe, refusal);
            case AlterConfigsRequestData alter -> AdminRefusals.alterConfigs(alter, refusal);
            case IncrementalAlterConfigsRequestData alter -> AdminRefusals.incrementalAlterConfigs(alter, refusal);

            case ElectLeadersRequestData elect -> AdminRefusals.electLeaders(elect, refusal);
            case AlterPartitionReassignmentsRequestData alter -> AdminRefusals.alterReassignments(alter, refusal);
            case ListPartitionReassignmentsRequestData _ ->
                new ListPartitionReassignmentsResponseData().setErrorCode(error.code()).setErrorMessage(message);

            case ApiVersionsRequestData _ -> new ApiVersionsResponseData().setErrorCode(error.code());
            case DescribeClusterRequestData _ ->
                new DescribeClusterResponseData().setErrorCode(error.code()).setErrorMessage(message);
            case InitProducerIdRequestData _ ->
                new InitProducerIdResponseData().setErrorCode(error.code()).setProducerId(-1).setProducerEpoch(
                        (short) -1);
            case AddPartitionsToTxnRequestData add -> TransactionRefusals.addPartitions(add, refusal);
            case AddOffsetsToTxnRequestData _ -> new AddOffsetsToTxnResponseData().setErrorCode(error.code());
            case EndTxnRequestData _ -> new EndTxnResponseData().setErrorCode(error.code());
            case TxnOffsetCommitRequestData commit -> TransactionRefusals.offsetCommit(commit, refusal);
            case WriteTxnMarkersRequestData write -> TransactionRefusals.writeMarkers(write, refusal);
            case DescribeProducersRequestData describe -> TransactionRefusals.describeProducers(describe, refusal);
            case DescribeTransactionsRequestData describe -> TransactionRefusals.describe(describe, refusal);
            case ListTransactionsRequestData _ -> new ListTransactionsResponseData().setErrorCode(error.code());
            case AlterReplicaLogDirsRequestData alter -> LogRefusals.alterReplicaLogDirs(alter, refusal);
            case DescribeLogDirsRequestData _ -> LogRefusals.describeLogDirs(refusal);
            default -> throw new IllegalArgumentException("not offered: " + request.getClass());
        };
    }
}
