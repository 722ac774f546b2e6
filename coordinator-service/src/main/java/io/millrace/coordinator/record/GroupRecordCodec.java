package io.millrace.coordinator.record;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.jspecify.annotations.Nullable;

/// Keys of `__consumer_offsets`. Key and value each begin with an int16, the schema's version; for keys it also names
/// the kind of record:
///
/// | version | kind | fields |
/// |---|---|---|
/// | 0, 1 | an offset | group string, topic string, partition int32 |
/// | 2 | a classic group | group string |
/// | 3 to 8, 16 | a consumer group | see [ConsumerRecordCodec] |
/// | others | share groups, Streams groups | not read here |
public final class GroupRecordCodec {
    private static final short OFFSET_KEY_OLDEST = 0;
    private static final short OFFSET_KEY = 1;
    private static final short GROUP_KEY = 2;

    private GroupRecordCodec() {}

    /// The record as Kafka 3.9 would write it.
    public static EncodedRecord encode(GroupRecord record) {
        return switch (record) {
            case OffsetPut(var group, var topic, var partition, var value) ->
                new EncodedRecord(offsetKey(group, topic, partition), OffsetValues.encode(value));
            case OffsetRemoved(var group, var topic, var partition) ->
                new EncodedRecord(offsetKey(group, topic, partition), null);
            case GroupPut(var group, var value) -> new EncodedRecord(groupKey(group), GroupValues.encode(value));
            case GroupRemoved(var group) -> new EncodedRecord(groupKey(group), null);
            case ConsumerGroupRecord consumer -> ConsumerRecordCodec.encode(consumer);
        };
    }

    /// The record that `key` and `value` stand for; empty for kinds of record that this version does not know, which a
    /// reader passes over as Kafka does.
    ///
    /// @param value null for a tombstone
    /// @throws MalformedRecord where the bytes end too early or their value has an unknown version
    public static Optional<GroupRecord> decode(ByteBuffer key, @Nullable ByteBuffer value) {
        try {
            var in = new SchemaReader(key);
            short version = in.int16();
            return switch (version) {
                case OFFSET_KEY_OLDEST, OFFSET_KEY ->
                    Optional.of(offset(in.string(false), in.string(false), in.int32(), value));
                case GROUP_KEY -> Optional.of(group(in.string(false), value));
                default -> ConsumerRecordCodec.decode(version, in, value);
            };
        } catch (BufferUnderflowException | IllegalArgumentException cause) {
            throw new MalformedRecord("key of " + key.limit() + " bytes, value of "
                    + (value == null ? "none" : value.limit() + " bytes"), cause);
        }
    }

    private static GroupRecord offset(String group, String topic, int partition, @Nullable ByteBuffer value) {
        return value == null
                ? new OffsetRemoved(group, topic, partition)
                : new OffsetPut(group, topic, partition, OffsetValues.decode(new SchemaReader(value)));
    }

    private static GroupRecord group(String group, @Nullable ByteBuffer value) {
        return value == null
                ? new GroupRemoved(group)
                : new GroupPut(group, GroupValues.decode(new SchemaReader(value)));
    }

    private static Bytes offsetKey(String group, String topic, int partition) {
        return new SchemaWriter().int16(OFFSET_KEY).string(group).string(topic).int32(partition).bytes();
    }

    private static Bytes groupKey(String group) {
        return new SchemaWriter().int16(GROUP_KEY).string(group).bytes();
    }
}
