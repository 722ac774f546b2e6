package io.millrace.admin.record;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

import io.millrace.admin.record.Format.Shown;
import io.millrace.admin.upstream.Fetches.Read;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A record as it is shown.
///
/// @param timestamp milliseconds since 1970
/// @param timestampType `CREATE_TIME` or `LOG_APPEND_TIME`
/// @param key null where it has none
/// @param keyFormat what the key is shown as: `JSON`, `STRING`, `BASE64` or `HEX`
/// @param size bytes of key and value
/// @param transactional whether it belongs to a transaction
record KafkaRecord(
        int partitionId,
        long offset,
        long timestamp,
        String timestampType,
        @Nullable JsonNode key,
        @Nullable Format keyFormat,
        @Nullable JsonNode value,
        @Nullable Format valueFormat,
        List<Header> headers,
        int size,
        int leaderEpoch,
        boolean transactional) {

    record Header(String name, @Nullable JsonNode value) {}

    static KafkaRecord of(TopicPartition partition, Read read, Format format) {
        var record = read.record();
        var key = format.show(record.hasKey() ? record.key() : null);
        var value = format.show(record.hasValue() ? record.value() : null);
        var headers = Arrays.stream(record.headers()).map(header -> new Header(header.key(), data(format.show(header
                .value() == null ? null : ByteBuffer.wrap(header.value()))))).toList();
        return new KafkaRecord(partition.partition(), record.offset(), record.timestamp(), read.batch().timestampType()
                .name(), data(key), kind(key), data(value), kind(value), headers, Math.max(0, record.keySize()) + Math
                        .max(0, record.valueSize()), read.batch().partitionLeaderEpoch(), read.batch()
                                .isTransactional());
    }

    private static @Nullable JsonNode data(@Nullable Shown shown) {
        return shown == null ? null : shown.data();
    }

    private static @Nullable Format kind(@Nullable Shown shown) {
        return shown == null ? null : shown.format();
    }
}
