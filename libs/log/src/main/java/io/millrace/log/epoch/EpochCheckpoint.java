package io.millrace.log.epoch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

import io.millrace.log.disk.Disk;

/// The `leader-epoch-checkpoint` file: version 0, the number of entries, and a line of epoch and start offset for each.
public record EpochCheckpoint(Disk disk, Path path) {
    /// Its name in a partition's directory.
    public static final String FILE_NAME = "leader-epoch-checkpoint";

    /// Durable when it returns.
    public void write(EpochHistory history) throws IOException {
        var text = new StringBuilder("0\n").append(history.starts().size()).append('\n');
        for (var start : history.starts()) {
            text.append(start.epoch()).append(' ').append(start.startOffset()).append('\n');
        }
        disk.replace(path, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Empty where the file is missing or makes no sense, so that it has to be rebuilt.
    public Optional<EpochHistory> read() throws IOException {
        if (!disk.exists(path)) {
            return Optional.empty();
        }
        return parse(new String(disk.read(path), StandardCharsets.UTF_8));
    }

    private static Optional<EpochHistory> parse(String text) {
        var lines = text.lines().toList();
        var starts = new ArrayList<EpochStart>();
        try {
            if (lines.size() < 2 || !lines.getFirst().equals("0") || Integer.parseInt(lines.get(1)) != lines.size()
                    - 2) {
                return Optional.empty();
            }
            for (var line : lines.subList(2, lines.size())) {
                var fields = line.split(" ", -1);
                var start = new EpochStart(Integer.parseInt(fields[0]), Long.parseLong(fields[1]));
                if (!starts.isEmpty() && (start.epoch() <= starts.getLast().epoch() || start.startOffset() <= starts
                        .getLast().startOffset())) {
                    return Optional.empty();
                }
                starts.add(start);
            }
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
            return Optional.empty();
        }
        return Optional.of(new EpochHistory(starts));
    }
}
