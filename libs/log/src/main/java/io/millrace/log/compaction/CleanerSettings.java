package io.millrace.log.compaction;

import java.time.Duration;

/// Kafka's `log.cleaner.*` of a broker.
///
/// @param dedupeBufferBytes `log.cleaner.dedupe.buffer.size`, of all threads together
/// @param loadFactor `log.cleaner.io.buffer.load.factor`: how full a key map may be
/// @param ioBufferBytes `log.cleaner.io.buffer.size`, of all threads together
/// @param ioMaxBytesPerSecond `log.cleaner.io.max.bytes.per.second`, read and written, of all threads together
/// @param threads `log.cleaner.threads`; 0 where nothing is cleaned
/// @param backoff `log.cleaner.backoff.ms`: rest of a thread that finds nothing to do
public record CleanerSettings(long dedupeBufferBytes, double loadFactor, int ioBufferBytes, double ioMaxBytesPerSecond,
        int threads, Duration backoff) {
    /// Kafka's defaults.
    public static final CleanerSettings DEFAULTS = new CleanerSettings(128 << 20, 0.9, 512 << 10, Double.MAX_VALUE, 1,
            Duration.ofSeconds(15));

    private static final int LEAST_BUFFER_BYTES = 1024;

    /// Keys that the map of one thread may hold.
    long keysPerThread() {
        return (long) (loadFactor * dedupeBufferBytes / Math.max(1, threads) / OffsetMap.SLOT_BYTES);
    }

    /// Each thread reads into one buffer of that size and writes from another; they grow for a larger batch.
    int bufferBytes() {
        return Math.max(LEAST_BUFFER_BYTES, ioBufferBytes / Math.max(1, threads) / 2);
    }
}
