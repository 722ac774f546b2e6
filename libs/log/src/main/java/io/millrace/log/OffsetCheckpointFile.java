package io.millrace.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;

import io.millrace.log.disk.Disk;
import lombok.extern.slf4j.Slf4j;

/// One of Kafka's checkpoint files of a log directory: version 0, the number of lines, then a line of topic, partition and
/// offset for each log.
@Slf4j
record OffsetCheckpointFile(Disk disk, Path path) {
    static final String RECOVERY_POINT = "recovery-point-offset-checkpoint";
    static final String LOG_START = "log-start-offset-checkpoint";
    static final String HIGH_WATERMARK = "replication-offset-checkpoint";
    static final String CLEANER = "cleaner-offset-checkpoint";
    static final String CLEANER_HORIZON = "cleaner-delete-horizon-checkpoint";

    void write(Map<PartitionId, Long> offsets) throws IOException {
        var text = new StringBuilder("0\n").append(offsets.size()).append('\n');
        offsets.forEach((id, offset) -> text.append(id.topic()).append(' ').append(id.partition()).append(' ').append(
                offset).append('\n'));
        disk.replace(path, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Empty where the file is missing. One that makes no sense is as good as missing: then more is scanned.
    Map<PartitionId, Long> read() throws IOException {
        if (!disk.exists(path)) {
            return Map.of();
        }
        var lines = new String(disk.read(path), StandardCharsets.UTF_8).lines().toList();
        try {
            if (!lines.getFirst().equals("0") || Integer.parseInt(lines.get(1)) != lines.size() - 2) {
                throw new IllegalArgumentException("header");
            }
            var offsets = new HashMap<PartitionId, Long>();
            for (var line : lines.subList(2, lines.size())) {
                var fields = line.split(" ", -1);
                offsets.put(new PartitionId(fields[0], Integer.parseInt(fields[1])), Long.parseLong(fields[2]));
            }
            return offsets;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NoSuchElementException broken) {
            log.warn("a checkpoint file makes no sense, it is not used: file={} reason={}", path, broken.toString());
            return Map.of();
        }
    }
}
