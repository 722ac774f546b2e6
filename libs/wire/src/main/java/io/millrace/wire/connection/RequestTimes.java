package io.millrace.wire.connection;

import io.millrace.base.loop.Ticker;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// When a request passed which point, in nanoseconds of one ticker; recorded once its answer is with the socket.
final class RequestTimes {
    private final Ticker ticker;
    private final RequestMeters meters;
    private final long receivedNanos;
    private long handledNanos;
    private long completedNanos;
    private long writtenNanos;

    RequestTimes(Ticker ticker, RequestMeters meters, long receivedNanos, int sizeBytes, short version) {
        this.ticker = ticker;
        this.meters = meters;
        this.receivedNanos = receivedNanos;
        meters.received(sizeBytes, version);
    }

    /// The name Kafka's meters give a request: its API's, but fetches by who asks.
    static String nameOf(ApiKeys api, ApiMessage request) {
        if (request instanceof FetchRequestData fetch) {
            return fetch.replicaId() >= 0 || fetch.replicaState().replicaId() >= 0 ? "FetchFollower" : "FetchConsumer";
        }
        return api.name;
    }

    /// The handler has returned.
    void handled() {
        handledNanos = ticker.nanos();
    }

    /// The handler's future is complete.
    void completed() {
        completedNanos = ticker.nanos();
    }

    /// The answer goes to the socket now: all answers before it have gone.
    void written() {
        writtenNanos = ticker.nanos();
    }

    void error(Errors error) {
        meters.error(error);
    }

    /// The answer is with the socket, or there is none to send.
    void sent() {
        long sentNanos = ticker.nanos();
        meters.times(handledNanos - receivedNanos, Math.max(0, completedNanos - handledNanos),
                writtenNanos - completedNanos, sentNanos - writtenNanos, sentNanos - receivedNanos);
    }
}
