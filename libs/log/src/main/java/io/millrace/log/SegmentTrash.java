package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.segment.Segment;
import lombok.extern.slf4j.Slf4j;

/// Segments that are no longer of the log: renamed at once, deleted after a while, so that reads in flight end well. What a
/// stop leaves behind is deleted when the log is opened again. Guarded by the log's lock, but for the delayed part.
@Slf4j
final class SegmentTrash {
    private final Path directory;
    private final LogRuntime runtime;
    private final List<Segment> waiting = new ArrayList<>();
    private boolean closed;

    SegmentTrash(Path directory, LogRuntime runtime) {
        this.directory = directory;
        this.runtime = runtime;
    }

    void add(List<Segment> segments, long delayMs) throws IOException {
        if (segments.isEmpty()) {
            return;
        }
        var batch = List.copyOf(segments);
        for (var segment : batch) {
            segment.rename(SegmentFiles.DELETED);
        }
        synchronized (waiting) {
            waiting.addAll(batch);
        }
        runtime.background().schedule(Duration.ofMillis(delayMs), () -> delete(batch));
    }

    private void delete(List<Segment> segments) {
        synchronized (waiting) {
            if (closed) {
                return;
            }
            waiting.removeAll(segments);
        }
        for (var segment : segments) {
            segment.close();
            segment.files().forEach(file -> runtime.remover().remove(file, segment::isHeld, this::failed));
        }
    }

    /// Has a file go that no reader knows.
    void discard(Path file) throws IOException {
        runtime.remover().discard(file, this::failed);
    }

    private void failed(IOException failure) {
        runtime.metrics().failed();
        log.error("cannot delete segments: directory={}", directory, failure);
        runtime.failures().failed(directory, failure);
    }

    /// Gives the files back without deleting them.
    void close() {
        synchronized (waiting) {
            closed = true;
            waiting.forEach(Segment::close);
            waiting.clear();
        }
    }
}
