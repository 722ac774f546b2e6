package io.millrace.log.retention;

/// What retention needs to know of a segment.
///
/// @param nextBaseOffset where the next segment begins; the log end offset for the last one
/// @param largestTimestamp milliseconds since 1970
public record SegmentFacts(long nextBaseOffset, long sizeBytes, long largestTimestamp) {}
