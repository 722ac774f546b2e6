package io.millrace.log;

/// A record by its time.
///
/// @param timestamp milliseconds since 1970
/// @param leaderEpoch of the batch that holds the record, -1 where it is not known
public record TimestampAndOffset(long timestamp, long offset, int leaderEpoch) {}
