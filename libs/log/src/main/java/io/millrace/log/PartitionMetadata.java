package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SegmentFiles;
import org.jspecify.annotations.Nullable;

/// The `partition.metadata` file: which topic a log belongs to, whatever its name.
record PartitionMetadata(Disk disk, Path path) {
    static final String FILE_NAME = SegmentFiles.TOPIC_ID;

    private static final String ID = "topic_id: ";

    /// Durable when it returns.
    void write(UUID topicId) throws IOException {
        disk.replace(path, content(topicId));
    }

    /// Writes it as the first file of a new log's directory. Durable after [#sync]: a loss of power before leaves it whole,
    /// not whole ([#isBroken]) or, with all files that were made after it, not at all.
    void begin(UUID topicId) throws IOException {
        try (var file = disk.open(path)) {
            file.truncate(0);
            file.write(ByteBuffer.wrap(content(topicId)), 0);
        }
    }

    /// Makes it durable, where it is there, and the directory that it lies in.
    void sync() throws IOException {
        if (disk.exists(path)) {
            try (var file = disk.open(path)) {
                file.sync();
            }
            var directory = parent(path);
            disk.syncDirectory(directory);
            disk.syncDirectory(parent(directory));
        }
    }

    private static byte[] content(UUID topicId) {
        return ("version: 0\n" + ID + text(topicId)).getBytes(StandardCharsets.UTF_8);
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent(), "logs lie in a directory");
    }

    /// Whether it is there, and says nothing of use.
    boolean isBroken() throws IOException {
        return disk.exists(path) && read() == null;
    }

    /// Null where there is no such file, or nothing of use in it.
    @Nullable
    UUID read() throws IOException {
        if (!disk.exists(path)) {
            return null;
        }
        return new String(disk.read(path), StandardCharsets.UTF_8).lines().filter(line -> line.startsWith(ID))
                .flatMap(line -> parse(line.substring(ID.length()).strip()).stream()).findFirst().orElse(null);
    }

    // Kafka writes topic ids as base64url of their 16 bytes.
    private static String text(UUID id) {
        var bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(id.getMostSignificantBits()).putLong(id
                .getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static Optional<UUID> parse(String text) {
        try {
            var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            return bytes.remaining() == 2 * Long.BYTES
                    ? Optional.of(new UUID(bytes.getLong(), bytes.getLong()))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
