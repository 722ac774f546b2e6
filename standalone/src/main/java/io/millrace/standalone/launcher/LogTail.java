package io.millrace.standalone.launcher;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds in a log why a process ended.
final class LogTail {

    private static final int LOOK_AT_BYTES = 64 << 10;
    private static final int LINE_LIMIT = 400;

    private LogTail() {}

    /// The line of the log that says most about the failure.
    ///
    /// @param from where in the file the process began to write
    static String reason(Path log, long from) {
        try {
            List<String> lines = read(log, from).lines().map(String::strip).filter(it -> !it.isEmpty()).toList();
            return shortened(reason(lines));
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    /// Spring Boot describes what it understands; else the last error is nearest to the end.
    static String reason(List<String> lines) {
        int description = lines.lastIndexOf("Description:");
        if (description >= 0 && description + 1 < lines.size()) {
            return lines.get(description + 1);
        }
        return lines.reversed().stream().filter(it -> it.contains("ERROR")).findFirst()
                .orElseGet(() -> lines.isEmpty() ? "it printed nothing" : lines.getLast());
    }

    private static String shortened(String line) {
        return line.length() <= LINE_LIMIT ? line : line.substring(0, LINE_LIMIT) + "…";
    }

    private static String read(Path log, long from) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            long start = Math.max(Math.min(from, file.length()), file.length() - LOOK_AT_BYTES);
            file.seek(start);
            byte[] bytes = new byte[Math.toIntExact(file.length() - start)];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
