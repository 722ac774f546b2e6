package io.millrace.coordinator.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.jspecify.annotations.Nullable;

/// Writes Kafka's primitive types, in the classic encoding or the compact one (KIP-482), into an array that grows.
final class SchemaWriter {
    private static final int FIRST_SIZE = 64;
    private static final short NULL = -1;

    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_SIZE);

    SchemaWriter int8(byte value) {
        room(Byte.BYTES).put(value);
        return this;
    }

    SchemaWriter int16(short value) {
        room(Short.BYTES).putShort(value);
        return this;
    }

    SchemaWriter int32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    SchemaWriter int64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /// @throws IllegalArgumentException beyond 32767 bytes, which the wire protocol does not let in
    SchemaWriter string(String value) {
        var bytes = value.getBytes(UTF_8);
        if (bytes.length > Short.MAX_VALUE) {
            throw new IllegalArgumentException("a string of " + bytes.length + " bytes");
        }
        room(Short.BYTES + bytes.length).putShort((short) bytes.length).put(bytes);
        return this;
    }

    SchemaWriter nullableString(@Nullable String value) {
        return value == null ? int16(NULL) : string(value);
    }

    SchemaWriter byteArray(Bytes value) {
        room(Integer.BYTES + value.size()).putInt(value.size()).put(value.array());
        return this;
    }

    /// Of a flexible schema (KIP-482).
    SchemaWriter varint(int value) {
        ByteUtils.writeUnsignedVarint(value, room(ByteUtils.sizeOfUnsignedVarint(value)));
        return this;
    }

    /// The length of an array or string of a flexible schema; -1 for null.
    SchemaWriter compactLength(int length) {
        return varint(length + 1);
    }

    SchemaWriter compactString(@Nullable String value) {
        if (value == null) {
            return compactLength(-1);
        }
        var bytes = value.getBytes(UTF_8);
        compactLength(bytes.length).room(bytes.length).put(bytes);
        return this;
    }

    SchemaWriter uuid(Uuid value) {
        return int64(value.getMostSignificantBits()).int64(value.getLeastSignificantBits());
    }

    SchemaWriter compactByteArray(Bytes value) {
        compactLength(value.size()).room(value.size()).put(value.array());
        return this;
    }

    <T> SchemaWriter compactArray(Collection<T> values, BiConsumer<SchemaWriter, T> element) {
        compactLength(values.size());
        values.forEach(value -> element.accept(this, value));
        return this;
    }

    /// Ends a flexible structure without tagged fields.
    SchemaWriter noTags() {
        return varint(0);
    }

    /// Ends a flexible structure with tagged field 0 alone.
    SchemaWriter tag0(Bytes value) {
        varint(1).varint(0).varint(value.size()).room(value.size()).put(value.array());
        return this;
    }

    Bytes bytes() {
        return Bytes.of(Arrays.copyOf(buffer.array(), buffer.position()));
    }

    private ByteBuffer room(int size) {
        if (buffer.remaining() < size) {
            int needed = Math.addExact(buffer.position(), size);
            buffer = ByteBuffer.allocate(Math.max(needed, Math.min(buffer.capacity() * 2, Integer.MAX_VALUE - 8)))
                    .put(buffer.flip());
        }
        return buffer;
    }
}
