package io.millrace.metadata.encoding;

import java.nio.ByteBuffer;
import java.util.UUID;

/// Ids as sixteen bytes.
final class Ids {
    private static final int SIZE = 16;

    private Ids() {}

    static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(SIZE)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    static UUID parse(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new MalformedMessage("id of " + bytes.length + " bytes");
        }
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
