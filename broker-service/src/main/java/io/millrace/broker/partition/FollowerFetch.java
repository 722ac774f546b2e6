package io.millrace.broker.partition;

/// What a follower says of one partition when it fetches.
///
/// @param replica its broker id
/// @param brokerEpoch of its registration; -1 where it does not say (KIP-903)
/// @param offset the first that it does not have: its log end offset
/// @param logStartOffset of its log; -1 where it does not say
/// @param leaderEpoch in which it takes this broker for the leader, or [Partition#ANY_EPOCH]
/// @param lastEpoch of the last record that it has, or [Partition#NO_LAST_EPOCH]
/// @param times when its session fetches
public record FollowerFetch(int replica, long brokerEpoch, long offset, long logStartOffset, int leaderEpoch,
        int lastEpoch, FetchTimes times) {}
