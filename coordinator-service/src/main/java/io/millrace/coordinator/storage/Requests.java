package io.millrace.coordinator.storage;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.record.internal.BaseRecords;

/// Requests for one partition. Topics go by name and by id, since the version to be spoken is not known here.
final class Requests {
    private static final short ALL = -1;
    private static final int CONSUMER = -1;
    /// Appends go over the same connection, and must not wait for what is not there yet.
    private static final int MAX_WAIT_MILLIS = 0;
    private static final int NO_SESSION_EPOCH = -1;

    private Requests() {}

    static ProduceRequestData produce(TopicImage topic, int partition, BaseRecords batch, Duration timeout) {
        var data = new TopicProduceData().setName(topic.name()).setTopicId(id(topic.id()))
                .setPartitionData(List.of(new PartitionProduceData().setIndex(partition).setRecords(batch)));
        var topics = new TopicProduceDataCollection(1);
        topics.add(data);
        return new ProduceRequestData().setAcks(ALL).setTimeoutMs((int) timeout.toMillis()).setTopicData(topics);
    }

    /// As a consumer: up to the high watermark.
    static FetchRequestData fetch(TopicImage topic, int partition, long offset, int maxBytes) {
        return new FetchRequestData().setReplicaId(CONSUMER).setMaxWaitMs(MAX_WAIT_MILLIS).setMinBytes(1)
                .setMaxBytes(maxBytes).setSessionEpoch(NO_SESSION_EPOCH)
                .setTopics(List.of(new FetchTopic().setTopic(topic.name()).setTopicId(id(topic.id()))
                        .setPartitions(List.of(new FetchPartition().setPartition(partition).setFetchOffset(offset)
                                .setPartitionMaxBytes(maxBytes)))));
    }

    private static Uuid id(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}
