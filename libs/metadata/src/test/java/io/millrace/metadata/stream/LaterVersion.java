package io.millrace.metadata.stream;

import java.util.Map;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;

/// What a later version would say: the same, and more in every message.
final class LaterVersion {
    private static final Message PLAIN = new Message(Map.of());
    private static final Message NODE = new Message(Map.of(4, PLAIN, 9, PLAIN));
    private static final Message CONFIG = new Message(Map.of(3, PLAIN));
    private static final Message RECORD = new Message(Map.of(1, PLAIN, 2, PLAIN, 3, NODE, 4, PLAIN, 5, PLAIN, 6, PLAIN,
            7,
            PLAIN, 8, CONFIG, 9, PLAIN));
    private static final Message FRAME = new Message(Map.of(1, new Message(Map.of(5, PLAIN)), 2, PLAIN, 3, PLAIN, 4,
            new Message(Map.of(1, PLAIN, 2, RECORD)), 5, new Message(Map.of(1, PLAIN, 2, PLAIN, 3, RECORD))));

    private LaterVersion() {}

    /// The messages within a message, by the number of their field.
    private record Message(Map<Integer, Message> within) {}

    /// `frame` with fields that nobody knows in it, and in all that it consists of.
    static byte[] of(byte[] frame) {
        try {
            return grown(ByteString.copyFrom(frame), FRAME).toByteArray();
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    private static ByteString grown(ByteString bytes, Message message) throws InvalidProtocolBufferException {
        var fields = UnknownFieldSet.parseFrom(bytes).toBuilder();
        for (var within : message.within().entrySet()) {
            if (fields.hasField(within.getKey())) {
                var grown = Field.newBuilder();
                for (var value : fields.build().getField(within.getKey()).getLengthDelimitedList()) {
                    grown.addLengthDelimited(grown(value, within.getValue()));
                }
                fields.addField(within.getKey(), grown.build());
            }
        }
        return fields.addField(77, Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8("later")).build())
                .addField(78, Field.newBuilder().addVarint(5).addVarint(6).build())
                .addField(79, Field.newBuilder().addFixed64(7).build())
                .build()
                .toByteString();
    }
}
