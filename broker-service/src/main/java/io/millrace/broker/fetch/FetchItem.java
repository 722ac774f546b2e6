package io.millrace.broker.fetch;

import org.apache.kafka.common.message.FetchRequestData.FetchPartition;

/// What a client asks of one partition.
///
/// @param topic the name the topic had when its id was first seen; empty where the id was never known
/// @param currentLeaderEpoch -1 where the client does not say
/// @param lastFetchedEpoch -1 where the client does not say
/// @param maxBytes at most this much, unless the first batch is larger
record FetchItem(FetchKey key, String topic, long fetchOffset, int currentLeaderEpoch, int lastFetchedEpoch,
        int maxBytes) {

    static FetchItem of(FetchKey key, String topic, FetchPartition asked) {
        return new FetchItem(key, topic, asked.fetchOffset(), asked.currentLeaderEpoch(), asked.lastFetchedEpoch(),
                asked.partitionMaxBytes());
    }
}
