package io.millrace.metadata.znode;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/// Ids of topics and of the cluster in Kafka's text: 22 characters of base64url.
public final class TopicIds {
    private static final int BYTES = 16;
    private static final int CHARACTERS = 22;

    private TopicIds() {}

    /// The text of an id.
    public static String text(UUID id) {
        var bytes = ByteBuffer.allocate(BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /// The id of a text.
    ///
    /// @throws MalformedZnode where it is none
    public static UUID parse(String text) {
        try {
            var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (text.length() == CHARACTERS) {
                return new UUID(bytes.getLong(), bytes.getLong());
            }
        } catch (IllegalArgumentException | BufferUnderflowException _) {
            throw new MalformedZnode("id " + text);
        }
        throw new MalformedZnode("id " + text);
    }
}
