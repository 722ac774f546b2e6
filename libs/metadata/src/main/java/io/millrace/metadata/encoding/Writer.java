package io.millrace.metadata.encoding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import com.google.protobuf.CodedOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes the fields of one message. As in proto3, a number of 0 and an empty text are not written.
public final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    @FunctionalInterface
    private interface Write {
        void to(CodedOutputStream out) throws IOException;
    }

    /// The message whose fields `fields` writes.
    public static byte[] message(Consumer<Writer> fields) {
        var writer = new Writer();
        fields.accept(writer);
        writer.write(CodedOutputStream::flush);
        return writer.bytes.toByteArray();
    }

    /// A number that is rarely negative.
    public Writer number(int field, long value) {
        return value == 0 ? this : write(coded -> coded.writeInt64(field, value));
    }

    /// A number that may be negative.
    public Writer signed(int field, int value) {
        return value == 0 ? this : write(coded -> coded.writeSInt32(field, value));
    }

    /// The one of `values`, by its number.
    public <E> Writer oneOf(int field, List<E> values, E value) {
        return number(field, values.indexOf(value) + 1L);
    }

    /// A text; null where there is none.
    public Writer text(int field, @Nullable String value) {
        return value == null || value.isEmpty() ? this : write(coded -> coded.writeString(field, value));
    }

    /// An element of repeated texts, or of a map, where the empty text counts too.
    public Writer element(int field, String value) {
        return write(coded -> coded.writeString(field, value));
    }

    /// The sixteen bytes of an id.
    public Writer id(int field, UUID value) {
        return write(coded -> coded.writeByteArray(field, Ids.bytes(value)));
    }

    /// Numbers that may be negative, packed.
    public Writer packed(int field, List<Integer> values) {
        if (values.isEmpty()) {
            return this;
        }
        int size = values.stream().mapToInt(CodedOutputStream::computeSInt32SizeNoTag).sum();
        return write(coded -> {
            coded.writeTag(field, Reader.LENGTH_DELIMITED);
            coded.writeUInt32NoTag(size);
            for (int value : values) {
                coded.writeSInt32NoTag(value);
            }
        });
    }

    /// A message within this one; written even where it has no fields.
    public Writer nested(int field, Consumer<Writer> fields) {
        var inner = message(fields);
        return write(coded -> coded.writeByteArray(field, inner));
    }

    private Writer write(Write write) {
        try {
            write.to(out);
        } catch (IOException failure) {
            throw new UncheckedIOException("memory does not fail to be written", failure);
        }
        return this;
    }
}
