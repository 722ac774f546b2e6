package io.millrace.log.segment;

/// When a segment is closed and the next one opened, and how densely it is indexed. Kafka's topic settings.
///
/// @param segmentBytes `segment.bytes`
/// @param segmentMs `segment.ms`, by the batches' times
/// @param segmentJitterMs `segment.jitter.ms`, the most that is taken off `segmentMs`
/// @param indexBytes `segment.index.bytes`: room for each index
/// @param indexIntervalBytes `index.interval.bytes`
/// @param preallocate `preallocate`: the file gets its full size at once
/// @param fileDeleteDelayMs `file.delete.delay.ms`
public record SegmentLimits(int segmentBytes, long segmentMs, long segmentJitterMs, int indexBytes,
        int indexIntervalBytes, boolean preallocate, long fileDeleteDelayMs) {}
