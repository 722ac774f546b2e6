package io.millrace.coordinator.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.TopicPartition;

/// The value of a transactional id. Fields and the versions that have them:
///
/// | field | type | versions |
/// |---|---|---|
/// | producerId | int64 | all |
/// | previousProducerId | int64, tag 0 | 1 |
/// | nextProducerId | int64, tag 1 | 1 |
/// | producerEpoch | int16 | all |
/// | transactionTimeoutMs | int32 | all |
/// | transactionStatus | int8 | all |
/// | transactionPartitions | nullable array | all |
/// | … topic | string | all |
/// | … partitionIds | array of int32 | all |
/// | transactionLastUpdateTimestampMs | int64 | all |
/// | transactionStartTimestampMs | int64 | all |
/// | clientTransactionVersion | int16, tag 2 | 1 |
///
/// Version 1 is in the flexible encoding. Its tag 3 belongs to two-phase commit, which is not served, and is passed over.
final class TransactionValues {
    private static final short FLEXIBLE = 1;
    private static final int PREVIOUS_ID = 0;
    private static final int NEXT_ID = 1;
    private static final int CLIENT_VERSION = 2;

    private TransactionValues() {}

    static Bytes encode(TransactionSnapshot value) {
        var byTopic = new LinkedHashMap<String, List<Integer>>();
        value.partitions().forEach(partition -> byTopic.computeIfAbsent(partition.topic(), _ -> new ArrayList<>())
                .add(partition.partition()));
        var out = new SchemaWriter().int16(FLEXIBLE)
                .int64(value.producerId())
                .int16(value.epoch())
                .int32(value.timeoutMillis())
                .int8(value.state().number());
        if (value.state() == TransactionState.EMPTY) {
            out.compactLength(-1); // as Kafka: null while there is no transaction
        } else {
            partitions(out, byTopic);
        }
        out.int64(value.updatedMillis()).int64(value.startedMillis());
        tags(out, value);
        return out.bytes();
    }

    private static void partitions(SchemaWriter out, Map<String, List<Integer>> byTopic) {
        out.compactLength(byTopic.size());
        byTopic.forEach((topic, partitions) -> {
            out.compactString(topic).compactLength(partitions.size());
            partitions.forEach(out::int32);
            out.varint(0);
        });
    }

    private static void tags(SchemaWriter out, TransactionSnapshot value) {
        boolean previous = value.previousProducerId() != TransactionSnapshot.NONE;
        boolean next = value.nextProducerId() != TransactionSnapshot.NONE;
        boolean version = value.clientVersion() != 0;
        out.varint((previous ? 1 : 0) + (next ? 1 : 0) + (version ? 1 : 0));
        if (previous) {
            out.varint(PREVIOUS_ID).varint(Long.BYTES).int64(value.previousProducerId());
        }
        if (next) {
            out.varint(NEXT_ID).varint(Long.BYTES).int64(value.nextProducerId());
        }
        if (version) {
            out.varint(CLIENT_VERSION).varint(Short.BYTES).int16(value.clientVersion());
        }
    }

    static TransactionSnapshot decode(SchemaReader in) {
        short version = in.int16();
        if (version < 0 || version > FLEXIBLE) {
            throw new MalformedRecord("transaction value of version " + version);
        }
        boolean compact = version >= FLEXIBLE;
        long producerId = in.int64();
        short epoch = in.int16();
        int timeout = in.int32();
        var state = TransactionState.of(in.int8());
        var partitions = new LinkedHashSet<TopicPartition>();
        for (int topics = in.arrayLength(compact); topics > 0; topics--) {
            var topic = in.string(compact);
            for (int left = in.arrayLength(compact); left > 0; left--) {
                partitions.add(new TopicPartition(topic, in.int32()));
            }
            if (compact) {
                in.skipTags();
            }
        }
        long updated = in.int64();
        long started = in.int64();
        var tags = compact ? in.tags() : Map.<Integer, SchemaReader>of();
        return new TransactionSnapshot(producerId, id(tags, PREVIOUS_ID), id(tags, NEXT_ID), epoch, timeout, state,
                partitions, updated, started,
                tags.containsKey(CLIENT_VERSION) ? tags.get(CLIENT_VERSION).int16() : 0);
    }

    private static long id(Map<Integer, SchemaReader> tags, int tag) {
        var found = tags.get(tag);
        return found == null ? TransactionSnapshot.NONE : found.int64();
    }
}
