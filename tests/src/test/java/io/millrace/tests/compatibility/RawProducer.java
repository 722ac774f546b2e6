package io.millrace.tests.compatibility;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/// A transactional id before transactions of version 2, by the bare protocol: it says only what it is told to say, each time over
/// another connection.
final class RawProducer {
    private static final short INIT = 4;
    private static final short ADD = 3;
    private static final short END = 3;
    private static final short FIND = 3;
    private static final short MARK = 1;
    private static final byte TRANSACTION = 1;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Kafka kafka;
    private final String transactionalId;
    private long producerId = -1;
    private short epoch = -1;

    RawProducer(Kafka kafka, String transactionalId) {
        this.kafka = kafka;
        this.transactionalId = transactionalId;
    }

    long producerId() {
        return producerId;
    }

    short epoch() {
        return epoch;
    }

    /// Begins with a producer id of its own.
    void init() throws IOException {
        var coordinator = coordinator();
        await().atMost(Kafka.LIMIT).until(() -> {
            var answer = new InitProducerIdResponseData(call(coordinator, ApiKeys.INIT_PRODUCER_ID, INIT,
                    new InitProducerIdRequestData().setTransactionalId(transactionalId)
                            .setTransactionTimeoutMs(TIMEOUT_MILLIS)), INIT);
            producerId = answer.producerId();
            epoch = answer.producerEpoch();
            return answer.errorCode() == Errors.NONE.code();
        });
    }

    /// What is said of each partition.
    Map<TopicPartition, Errors> add(TopicPartition... partitions) throws IOException {
        var request = new AddPartitionsToTxnRequestData().setV3AndBelowTransactionalId(transactionalId)
                .setV3AndBelowProducerId(producerId).setV3AndBelowProducerEpoch(epoch);
        for (var partition : partitions) {
            request.v3AndBelowTopics().add(new AddPartitionsToTxnTopic().setName(partition.topic()).setPartitions(
                    List.of(partition.partition())));
        }
        var told = new HashMap<TopicPartition, Errors>();
        new AddPartitionsToTxnResponseData(call(coordinator(), ApiKeys.ADD_PARTITIONS_TO_TXN, ADD, request), ADD)
                .resultsByTopicV3AndBelow().forEach(topic -> topic.resultsByPartition().forEach(result -> told.put(
                        new TopicPartition(topic.name(), result.partitionIndex()), Errors.forCode(result
                                .partitionErrorCode()))));
        return told;
    }

    Errors end(boolean commit) throws IOException {
        return Errors.forCode(new EndTxnResponseData(call(coordinator(), ApiKeys.END_TXN, END, new EndTxnRequestData()
                .setTransactionalId(transactionalId).setProducerId(producerId).setProducerEpoch(epoch)
                .setCommitted(commit)), END).errorCode());
    }

    /// Sends a batch to the leader of a partition.
    Errors produce(TopicPartition partition, MemoryRecords batch, short version) throws IOException {
        var topic = new TopicProduceData().setName(partition.topic());
        topic.partitionData().add(new PartitionProduceData().setIndex(partition.partition()).setRecords(MemoryRecords
                .readableRecords(batch.buffer().duplicate())));
        var request = new ProduceRequestData().setTransactionalId(transactionalId).setAcks((short) -1)
                .setTimeoutMs(TIMEOUT_MILLIS);
        request.topicData().add(topic);
        return Errors.forCode(new ProduceResponseData(call(leader(partition), ApiKeys.PRODUCE, version, request),
                version).responses().iterator().next().partitionResponses().getFirst().errorCode());
    }

    /// Writes a marker as a tool does, in the name of a coordinator of that epoch.
    Errors mark(TopicPartition partition, boolean commit, int coordinatorEpoch) throws IOException {
        var request = new WriteTxnMarkersRequestData().setMarkers(List.of(new WritableTxnMarker().setProducerId(
                producerId)
                .setProducerEpoch(epoch).setTransactionResult(commit).setCoordinatorEpoch(coordinatorEpoch).setTopics(
                        List.of(new WritableTxnMarkerTopic().setName(partition.topic()).setPartitionIndexes(List.of(
                                partition.partition()))))));
        return Errors.forCode(new WriteTxnMarkersResponseData(call(leader(partition), ApiKeys.WRITE_TXN_MARKERS, MARK,
                request), MARK).markers().getFirst().topics().getFirst().partitions().getFirst().errorCode());
    }

    private String leader(TopicPartition partition) {
        try (Admin admin = kafka.admin()) {
            var leader = Kafka.await(admin.describeTopics(List.of(partition.topic())).allTopicNames()).values()
                    .iterator().next().partitions().get(partition.partition()).leader();
            return leader.host() + ":" + leader.port();
        }
    }

    private String coordinator() throws IOException {
        var found = new FindCoordinatorResponseData();
        await().atMost(Kafka.LIMIT).until(() -> {
            var answer = new FindCoordinatorResponseData(call(kafka.bootstrap().split(",", -1)[0],
                    ApiKeys.FIND_COORDINATOR, FIND, new FindCoordinatorRequestData().setKey(transactionalId).setKeyType(
                            TRANSACTION)), FIND);
            found.setHost(answer.host()).setPort(answer.port());
            return answer.errorCode() == Errors.NONE.code();
        });
        return found.host() + ":" + found.port();
    }

    /// The body of the answer.
    private static ByteBufferAccessor call(String address, ApiKeys api, short version, ApiMessage request)
            throws IOException {
        var header = new RequestHeader(api, version, "bare", 1);
        var head = MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion()).buffer();
        var body = MessageUtil.toByteBufferAccessor(request, version).buffer();
        byte[] frame = new byte[Integer.BYTES + head.remaining() + body.remaining()];
        ByteBuffer.wrap(frame).putInt(head.remaining() + body.remaining()).put(head).put(body);
        try (var wire = new Wire(address)) {
            wire.send(frame);
            var answer = wire.answer();
            ResponseHeader.parse(answer, api.responseHeaderVersion(version));
            return new ByteBufferAccessor(answer);
        }
    }
}
