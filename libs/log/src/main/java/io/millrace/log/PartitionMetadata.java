package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.UUID;

import io.millrace.log.disk.Disk;
import org.jspecify.annotations.Nullable;

/// The `partition.metadata` file: which topic a log belongs to, whatever its name.
record PartitionMetadata(Disk disk, Path path) {
    static final String FILE_NAME = "partition.metadata";

    private static final String ID = "topic_id: ";

    void write(UUID topicId) throws IOException {
        disk.replace(path, ("version: 0\n" + ID + text(topicId)).getBytes(StandardCharsets.UTF_8));
    }

    /// Null where there is no such file, or nothing of use in it.
    @Nullable
    UUID read() throws IOException {
        if (!disk.exists(path)) {
            return null;
        }
        return new String(disk.read(path), StandardCharsets.UTF_8).lines().filter(line -> line.startsWith(ID)).map(
                line -> parse(line.substring(ID.length()).strip())).findFirst().orElse(null);
    }

    // Kafka writes topic ids as base64url of their 16 bytes.
    private static String text(UUID id) {
        var bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(id.getMostSignificantBits()).putLong(id
                .getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static @Nullable UUID parse(String text) {
        try {
            var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            return bytes.remaining() == 2 * Long.BYTES ? new UUID(bytes.getLong(), bytes.getLong()) : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
