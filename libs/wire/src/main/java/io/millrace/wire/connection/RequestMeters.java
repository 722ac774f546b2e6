package io.millrace.wire.connection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// `kafka.network.requestmetrics.*` of one kind of request. There is no queue between the network and the handlers here,
/// hence no queue time.
final class RequestMeters {
    private static final String PREFIX = "kafka.network.requestmetrics.";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double[] QUANTILES = {0.5, 0.75, 0.95, 0.98, 0.99, 0.999};

    private final MeterRegistry registry;
    private final String request;
    private final ApiKeys api;
    private final DistributionSummary local;
    private final DistributionSummary remote;
    private final DistributionSummary waiting;
    private final DistributionSummary sending;
    private final DistributionSummary total;
    private final DistributionSummary bytes;
    private final Map<Short, Counter> requests = new ConcurrentHashMap<>();
    private final Map<Errors, Counter> errors = new ConcurrentHashMap<>();

    RequestMeters(MeterRegistry registry, String request, ApiKeys api) {
        this.api = api;
        this.registry = registry;
        this.request = request;
        local = summary("localtimems", "milliseconds", "in the handler, on the event loop");
        remote = summary("remotetimems", "milliseconds", "waiting for what the handler waits for");
        waiting = summary("responsequeuetimems", "milliseconds", "answered, waiting for the answers before it");
        sending = summary("responsesendtimems", "milliseconds", "from the first byte written to the last sent");
        total = summary("totaltimems", "milliseconds", "from arrival until the answer is sent");
        bytes = summary("requestbytes", "bytes", "size of the request");
    }

    void received(int sizeBytes, short version) {
        bytes.record(sizeBytes);
        requests.computeIfAbsent(version, this::requestCounter).increment();
    }

    void error(Errors error) {
        errors.computeIfAbsent(error, this::errorCounter).increment();
    }

    void times(long localNanos, long remoteNanos, long waitingNanos, long sendingNanos, long totalNanos) {
        local.record(localNanos / NANOS_PER_MILLI);
        remote.record(remoteNanos / NANOS_PER_MILLI);
        waiting.record(waitingNanos / NANOS_PER_MILLI);
        sending.record(sendingNanos / NANOS_PER_MILLI);
        total.record(totalNanos / NANOS_PER_MILLI);
    }

    /// How often each version was asked for.
    Stream<NetworkMetrics.ApiUse> uses() {
        return requests.entrySet().stream().map(entry -> new NetworkMetrics.ApiUse(request, entry.getKey(), (long) entry
                .getValue().count(), api.isVersionDeprecated(entry.getKey())));
    }

    private Counter requestCounter(short version) {
        return Counter.builder(PREFIX + "requests")
                .description("requests received")
                .tag("request", request)
                .tag("version", Short.toString(version))
                .register(registry);
    }

    private Counter errorCounter(Errors error) {
        return Counter.builder(PREFIX + "errors")
                .description("requests by the error that the whole answer carries")
                .tag("request", request)
                .tag("error", error.name())
                .register(registry);
    }

    /// One digit of precision: the quantiles' memory is what costs here, a few kilobytes a meter.
    private DistributionSummary summary(String name, String unit, String what) {
        return DistributionSummary.builder(PREFIX + name)
                .description(what + ", in " + unit)
                .tag("request", request)
                .publishPercentiles(QUANTILES)
                .percentilePrecision(1)
                .register(registry);
    }
}
