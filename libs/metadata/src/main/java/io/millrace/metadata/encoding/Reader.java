package io.millrace.metadata.encoding;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import com.google.protobuf.CodedInputStream;
import org.jspecify.annotations.Nullable;

/// Reads the fields of one message, in whatever order they come. Each is read or skipped before the next.
///
/// Every method throws [MalformedMessage] where the bytes do not fit.
public final class Reader {
    static final int LENGTH_DELIMITED = 2;
    private static final int TAG_TYPE_BITS = 3;

    private final CodedInputStream in;
    private int tag;

    private Reader(CodedInputStream in) {
        this.in = in;
    }

    @FunctionalInterface
    private interface Read<T extends @Nullable Object> {
        T from(CodedInputStream in) throws IOException;
    }

    /// A reader of the fields of `message`.
    public static Reader of(byte[] message) {
        return new Reader(CodedInputStream.newInstance(message));
    }

    /// The number of the next field; 0 at the end.
    public int next() {
        tag = read(CodedInputStream::readTag);
        return tag >>> TAG_TYPE_BITS;
    }

    /// Passes over the field, which nobody here knows.
    public void skip() {
        int skipped = tag;
        if (!read(coded -> coded.skipField(skipped))) {
            throw new MalformedMessage("end of a group that did not begin");
        }
    }

    /// The field as a number.
    public int number() {
        return read(CodedInputStream::readInt32);
    }

    /// The field as a long number.
    public long longNumber() {
        return read(CodedInputStream::readInt64);
    }

    /// The field as a number that may be negative.
    public int signed() {
        return read(CodedInputStream::readSInt32);
    }

    /// The field as text.
    public String text() {
        return read(CodedInputStream::readStringRequireUtf8);
    }

    /// The field as an id.
    public UUID id() {
        return Ids.parse(read(CodedInputStream::readByteArray));
    }

    /// The field as packed numbers that may be negative.
    public List<Integer> packed() {
        return read(coded -> {
            var values = new ArrayList<Integer>();
            int limit = coded.pushLimit(coded.readRawVarint32());
            while (coded.getBytesUntilLimit() > 0) {
                values.add(coded.readSInt32());
            }
            coded.popLimit(limit);
            return values;
        });
    }

    /// The field as a message that `message` reads to its end.
    public <T extends @Nullable Object> T nested(Function<Reader, T> message) {
        return read(coded -> {
            int limit = coded.pushLimit(coded.readRawVarint32());
            var value = message.apply(new Reader(coded));
            if (coded.getBytesUntilLimit() != 0) {
                throw new MalformedMessage("message not read to its end");
            }
            coded.popLimit(limit);
            return value;
        });
    }

    /// The one of `values` that the field numbers from 1 on; null where it is one that a later version added.
    public <E> @Nullable E oneOf(List<E> values) {
        int number = number();
        if (number < 0) {
            throw new MalformedMessage("number " + number + " is none of " + values);
        }
        return number == 0 || number > values.size() ? null : values.get(number - 1);
    }

    private <T extends @Nullable Object> T read(Read<T> read) {
        try {
            return read.from(in);
        } catch (IOException failure) {
            throw new MalformedMessage(String.valueOf(failure.getMessage()));
        }
    }
}
