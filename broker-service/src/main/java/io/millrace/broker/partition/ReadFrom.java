package io.millrace.broker.partition;

/// Where a reader stands and what it takes this broker for.
///
/// @param offset the first that it wants
/// @param leaderEpoch in which it believes, or [Partition#ANY_EPOCH]
/// @param lastEpoch of the last record that it has, or [Partition#NO_LAST_EPOCH]
/// @param source who may serve it
public record ReadFrom(long offset, int leaderEpoch, int lastEpoch, Source source) {

    /// Who may serve a reader.
    public enum Source {
        /// Nobody else: replicas, and clients that cannot be told of other places.
        LEADER,
        /// Any replica, up to its own high watermark: consumers that can be sent to the closest one (KIP-392).
        ANY_REPLICA
    }
}
