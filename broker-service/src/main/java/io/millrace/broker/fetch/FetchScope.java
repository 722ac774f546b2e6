package io.millrace.broker.fetch;

import io.millrace.broker.partition.ReadFrom.Source;
import io.millrace.broker.partition.ReadLimit;
import org.apache.kafka.common.message.FetchRequestData;

/// What holds for all partitions of a consumer's fetch.
///
/// @param maxBytes of records in the answer, but for a first batch that is larger
/// @param source who may serve it
/// @param rack where the client stands; empty where it does not say
/// @param listener by which the client came
record FetchScope(short version, int maxBytes, ReadLimit limit, Source source, String rack, String listener) {
    private static final byte READ_COMMITTED = 1;
    private static final short FIRST_VERSION_WITH_RACK = 11;

    /// @param mostBytes `fetch.max.bytes`
    static FetchScope of(FetchRequestData request, short version, String listener, int mostBytes) {
        boolean mayBeSentElsewhere = version >= FIRST_VERSION_WITH_RACK;
        return new FetchScope(version, Math.min(Math.max(0, request.maxBytes()), mostBytes), request
                .isolationLevel() == READ_COMMITTED ? ReadLimit.LAST_STABLE : ReadLimit.HIGH_WATERMARK,
                mayBeSentElsewhere ? Source.ANY_REPLICA : Source.LEADER, mayBeSentElsewhere ? request.rackId() : "",
                listener);
    }
}
