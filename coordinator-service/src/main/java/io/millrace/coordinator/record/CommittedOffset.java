package io.millrace.coordinator.record;

/// What a group committed for one partition.
///
/// @param offset of the next record to read
/// @param leaderEpoch of the last record read, -1 where the client did not say
/// @param metadata the client's own text, empty where it gave none
/// @param commitTimestamp wall time of the commit, in milliseconds
/// @param expireTimestamp wall time at which it expires whatever the group does, in milliseconds; -1 where the rule of
///     `offsets.retention.minutes` holds
public record CommittedOffset(long offset, int leaderEpoch, String metadata, long commitTimestamp,
        long expireTimestamp) {
    /// In place of a leader epoch or an expiry that is not known.
    public static final int NONE = -1;
}
