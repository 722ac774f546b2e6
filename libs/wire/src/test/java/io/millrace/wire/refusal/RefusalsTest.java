package io.millrace.wire.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.millrace.wire.api.VersionTable;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitionsCollection;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalsTest {

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyVersion")
    void everyApiCanBeRefusedInEveryVersionAndEveryPartSaysSo(ApiKeys api, short version) {
        var request = requests(version).stream()
                .filter(one -> one.apiKey() == api.id)
                .findAny()
                .orElseGet(api.messageType::newRequest);

        var refusal = Refusals.refuse(request, Errors.NOT_CONTROLLER, "not here", version);

        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(refusal, version).buffer();
        var read = AbstractResponse.parseResponse(api, new ByteBufferAccessor(bytes), version);
        assertThat(read.errorCounts()).containsKey(Errors.NOT_CONTROLLER);
        assertThat(read.errorCounts().keySet()).isSubsetOf(Errors.NOT_CONTROLLER, Errors.NONE);
        boolean hasErrorOfTheWhole = api != ApiKeys.ELECT_LEADERS || version > 0; // else it reads as none
        if (api != ApiKeys.FETCH && api != ApiKeys.DESCRIBE_LOG_DIRS && hasErrorOfTheWhole) {
            assertThat(read.errorCounts()).containsOnlyKeys(Errors.NOT_CONTROLLER);
        }
    }

    static Stream<Arguments> everyVersion() {
        var table = VersionTable.MILLRACE;
        var cases = new ArrayList<Arguments>();
        for (var api : table.apis()) {
            for (short version = table.range(api).min(); version <= table.range(api).max(); version++) {
                cases.add(Arguments.of(api, version));
            }
        }
        return cases.stream();
    }

    /// One of each API whose refusal has parts.
    private static List<ApiMessage> requests(short version) {
        return Stream.concat(transactions().stream(), besidesTransactions(version).stream()).toList();
    }

    private static List<ApiMessage> transactions() {
        var topic = new AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic().setName("t").setPartitions(List.of(1));
        var added = new AddPartitionsToTxnRequestData();
        added.v3AndBelowTopics().add(topic);
        var committed = new TxnOffsetCommitRequestData().setTopics(List.of(
                new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic().setName("t").setPartitions(
                        List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()))));
        var marked = new WriteTxnMarkersRequestData().setMarkers(List.of(
                new WriteTxnMarkersRequestData.WritableTxnMarker().setTopics(List.of(
                        new WriteTxnMarkersRequestData.WritableTxnMarkerTopic().setName("t").setPartitionIndexes(
                                List.of(1))))));
        var producers = new DescribeProducersRequestData();
        producers.topics().add(
                new DescribeProducersRequestData.TopicRequest().setName("t").setPartitionIndexes(List.of(1)));
        return List.of(added, committed, marked, producers,
                new DescribeTransactionsRequestData().setTransactionalIds(List.of("x")));
    }

    private static List<ApiMessage> besidesTransactions(short version) {
        var produced = new ProduceRequestData.TopicProduceData().setName("t");
        produced.partitionData().add(new ProduceRequestData.PartitionProduceData().setIndex(3));
        var produce = new ProduceRequestData();
        produce.topicData().add(produced);
        var deletedTopics = new DeleteTopicsRequestData();
        if (version < 6) {
            deletedTopics.topicNames().add("t");
        } else {
            deletedTopics.topics().add(new DeleteTopicsRequestData.DeleteTopicState().setTopicId(Uuid.ONE_UUID));
        }
        var created = new CreateTopicsRequestData();
        created.topics().add(new CreateTopicsRequestData.CreatableTopic().setName("t"));
        var grown = new CreatePartitionsRequestData();
        grown.topics().add(new CreatePartitionsRequestData.CreatePartitionsTopic().setName("t"));
        var altered = new AlterConfigsRequestData();
        altered.resources().add(new AlterConfigsRequestData.AlterConfigsResource().setResourceName("t"));
        var incremental = new IncrementalAlterConfigsRequestData();
        incremental.resources()
                .add(new IncrementalAlterConfigsRequestData.AlterConfigsResource().setResourceName("t"));
        var elected = new ElectLeadersRequestData().setTopicPartitions(new TopicPartitionsCollection(List.of(
                new TopicPartitions().setTopic("t").setPartitions(List.of(0))).iterator()));
        var moved = new AlterPartitionReassignmentsRequestData();
        moved.topics().add(new AlterPartitionReassignmentsRequestData.ReassignableTopic().setName("t").setPartitions(
                List.of(new AlterPartitionReassignmentsRequestData.ReassignablePartition())));
        var topicOfDirectory = new AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic().setName("t").setPartitions(
                List.of(0));
        var directory = new AlterReplicaLogDirsRequestData.AlterReplicaLogDir().setPath("/d");
        directory.topics().add(topicOfDirectory);
        var placed = new AlterReplicaLogDirsRequestData();
        placed.dirs().add(directory);
        var epochs = new OffsetForLeaderEpochRequestData();
        epochs.topics()
                .add(new OffsetForLeaderEpochRequestData.OffsetForLeaderTopic().setTopic("t")
                        .setPartitions(List.of(new OffsetForLeaderEpochRequestData.OffsetForLeaderPartition())));
        var coordinators = version < 4
                ? new FindCoordinatorRequestData().setKey("g")
                : new FindCoordinatorRequestData().setCoordinatorKeys(List.of("g"));
        var offsets = version < 8
                ? new OffsetFetchRequestData().setTopics(
                        List.of(new OffsetFetchRequestData.OffsetFetchRequestTopic().setName("t").setPartitionIndexes(
                                List.of(1, 2))))
                : new OffsetFetchRequestData().setGroups(
                        List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup().setGroupId("g")));
        return List.of(produce, deletedTopics, created, grown, altered, incremental, elected, moved, placed, epochs,
                coordinators,
                offsets,
                new FetchRequestData().setSessionEpoch(-1)
                        .setTopics(List.of(new FetchRequestData.FetchTopic().setTopic("t")
                                .setPartitions(List.of(new FetchRequestData.FetchPartition())))),
                new ListOffsetsRequestData().setTopics(List.of(new ListOffsetsRequestData.ListOffsetsTopic().setName(
                        "t")
                        .setPartitions(List.of(new ListOffsetsRequestData.ListOffsetsPartition())))),
                new DeleteRecordsRequestData().setTopics(List.of(new DeleteRecordsRequestData.DeleteRecordsTopic()
                        .setName("t")
                        .setPartitions(List.of(new DeleteRecordsRequestData.DeleteRecordsPartition())))),
                new OffsetCommitRequestData().setTopics(
                        List.of(new OffsetCommitRequestData.OffsetCommitRequestTopic().setName("t").setPartitions(
                                List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition())))),
                new MetadataRequestData().setTopics(
                        List.of(new MetadataRequestData.MetadataRequestTopic().setTopicId(Uuid.ONE_UUID).setName(
                                null))),
                new DescribeTopicPartitionsRequestData()
                        .setTopics(List.of(new DescribeTopicPartitionsRequestData.TopicRequest().setName("t"))),
                new DescribeConfigsRequestData().setResources(
                        List.of(new DescribeConfigsRequestData.DescribeConfigsResource().setResourceName("t"))),
                new ConsumerGroupDescribeRequestData().setGroupIds(List.of("g")),
                new DescribeGroupsRequestData().setGroups(List.of("g", "h")),
                new DeleteGroupsRequestData().setGroupsNames(List.of("g", "h")));
    }
}
