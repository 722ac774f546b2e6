package io.millrace.broker.fetch;

import io.millrace.broker.partition.ReadLimit;
import org.apache.kafka.common.message.FetchRequestData;

/// What holds for all partitions of a fetch.
///
/// @param maxBytes of records in the answer, but for a first batch that is larger
/// @param listener by which the client came
record FetchScope(short version, int maxBytes, ReadLimit limit, String listener) {
    private static final byte READ_COMMITTED = 1;

    /// @param mostBytes `fetch.max.bytes`
    static FetchScope of(FetchRequestData request, short version, String listener, int mostBytes) {
        var limit = FetchSessions.replicaId(request, version) >= 0
                ? ReadLimit.LOG_END
                : request.isolationLevel() == READ_COMMITTED ? ReadLimit.LAST_STABLE : ReadLimit.HIGH_WATERMARK;
        return new FetchScope(version, Math.min(Math.max(0, request.maxBytes()), mostBytes), limit, listener);
    }
}
