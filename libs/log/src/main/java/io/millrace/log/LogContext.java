package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.millrace.log.segment.Segment;

/// Where one log is and what it works by.
///
/// @param configs the settings of the moment
record LogContext(Path directory, LogRuntime runtime, SegmentTrash trash, Supplier<LogConfig> configs) {
    LogConfig config() {
        return configs.get();
    }

    /// Milliseconds since 1970.
    long now() {
        return runtime.clock().millis();
    }

    Segment newSegment(long baseOffset) throws IOException {
        return Segment.create(runtime.disk(), directory, baseOffset, config().segment(), now());
    }

    /// A random part of `segment.jitter.ms`, so that many logs do not roll in one moment.
    long jitterMs() {
        long most = config().segment().segmentJitterMs();
        return most <= 0 ? 0 : ThreadLocalRandom.current().nextLong(Math.min(most, config().segment().segmentMs()) + 1);
    }
}
