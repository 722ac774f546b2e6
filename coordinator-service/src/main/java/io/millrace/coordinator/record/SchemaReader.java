package io.millrace.coordinator.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.jspecify.annotations.Nullable;

/// Reads Kafka's primitive types, in the classic encoding or the compact one (KIP-482). Ends too early with
/// [java.nio.BufferUnderflowException] or [IllegalArgumentException].
final class SchemaReader {
    private final ByteBuffer buffer;
    private final ByteBufferAccessor in;

    /// @param buffer read from its position to its limit; its own position stays
    SchemaReader(ByteBuffer buffer) {
        this.buffer = buffer.duplicate();
        in = new ByteBufferAccessor(this.buffer);
    }

    byte int8() {
        return in.readByte();
    }

    short int16() {
        return in.readShort();
    }

    int int32() {
        return in.readInt();
    }

    long int64() {
        return in.readLong();
    }

    String string(boolean compact) {
        return present(nullableString(compact), "string");
    }

    @Nullable
    String nullableString(boolean compact) {
        int length = compact ? in.readUnsignedVarint() - 1 : in.readShort();
        return length < 0 ? null : in.readString(bounded(length));
    }

    Bytes byteArray(boolean compact) {
        int length = compact ? in.readUnsignedVarint() - 1 : in.readInt();
        return length < 0 ? Bytes.EMPTY : Bytes.of(in.readArray(bounded(length)));
    }

    /// How many elements follow. Each takes at least a byte, so that a damaged length is found before it is believed.
    int arrayLength(boolean compact) {
        return bounded(Math.max(0, compact ? in.readUnsignedVarint() - 1 : in.readInt()));
    }

    void skipTags() {
        tags();
    }

    /// The tagged fields that follow, each to be read for itself.
    Map<Integer, SchemaReader> tags() {
        var tags = new HashMap<Integer, SchemaReader>();
        for (int left = bounded(in.readUnsignedVarint()); left > 0; left--) {
            int tag = in.readUnsignedVarint();
            tags.put(tag, new SchemaReader(ByteBuffer.wrap(in.readArray(bounded(in.readUnsignedVarint())))));
        }
        return tags;
    }

    /// Tagged field 0 at the end of a flexible structure, where it has one.
    Optional<SchemaReader> tag0() {
        return Optional.ofNullable(tags().get(0));
    }

    Uuid uuid() {
        return in.readUuid();
    }

    /// @param element reads one of them
    <T> List<T> compactArray(Function<SchemaReader, T> element) {
        int length = arrayLength(true);
        var all = new ArrayList<T>(length);
        for (int i = 0; i < length; i++) {
            all.add(element.apply(this));
        }
        return all;
    }

    private int bounded(int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException("length " + length + " with " + buffer.remaining() + " bytes left");
        }
        return length;
    }

    private static String present(@Nullable String value, String what) {
        if (value == null) {
            throw new IllegalArgumentException("a " + what + " is null");
        }
        return value;
    }
}
