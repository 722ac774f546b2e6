package io.millrace.broker;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/// Requests as clients make them.
final class Batches {
    /// A fetch that waits for a single byte, for much longer than a test takes.
    static final int LONG_WAIT_MILLIS = 25_000;

    private Batches() {}

    static MemoryRecords batch(Compression compression, String... values) {
        var records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(System.currentTimeMillis(), "key".getBytes(StandardCharsets.UTF_8), values[i]
                    .getBytes(StandardCharsets.UTF_8));
        }
        return MemoryRecords.withRecords(compression, records);
    }

    static MemoryRecords batch(String... values) {
        return batch(Compression.NONE, values);
    }

    static MemoryRecords idempotent(long producerId, int sequence, String value) {
        return idempotent(Compression.NONE, producerId, sequence, value);
    }

    static MemoryRecords idempotent(Compression codec, long producerId, int sequence, String value) {
        return MemoryRecords.withIdempotentRecords(codec, producerId, (short) 0, sequence, new SimpleRecord(value
                .getBytes(StandardCharsets.UTF_8)));
    }

    static ProduceRequestData produce(String topic, int partition, int acks, MemoryRecords records) {
        var request = new ProduceRequestData().setAcks((short) acks).setTimeoutMs(500);
        request.topicData().add(new TopicProduceData().setName(topic));
        request.topicData().iterator().next().partitionData().add(new PartitionProduceData().setIndex(partition)
                .setRecords(records));
        return request;
    }

    /// Without a session, answered at once.
    static FetchRequestData fetch(String topic, int partition, long offset) {
        var request = new FetchRequestData().setMaxWaitMs(0).setMinBytes(1).setMaxBytes(1 << 20);
        request.topics().add(new FetchTopic().setTopic(topic));
        request.topics().getFirst().partitions().add(partition(partition, offset));
        return request;
    }

    static FetchRequestData fetch(Uuid topic, int partition, long offset) {
        var request = fetch("", partition, offset);
        request.topics().getFirst().setTopicId(topic);
        return request;
    }

    static FetchPartition partition(int partition, long offset) {
        return new FetchPartition().setPartition(partition).setFetchOffset(offset).setPartitionMaxBytes(1 << 20);
    }
}
