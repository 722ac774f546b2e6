package io.millrace.log;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/// All meters of the logs of one broker.
public final class LogMetrics {
    private final Timer fsync;
    private final Timer commit;
    private final Counter rolled;
    private final Counter deleted;
    private final Counter recovered;
    private final Counter truncated;

    private final Counter failures;

    public LogMetrics(MeterRegistry registry) {
        fsync = Timer.builder("millrace.log.fsync").description("time an fsync of one log took").register(registry);
        commit = Timer.builder("millrace.log.commit").description(
                "time that making appended batches durable took, where acks wait for it").register(registry);
        rolled = counter(registry, "millrace.log.segment.rolled",
                "segments opened because the last one was full or old");
        deleted = counter(registry, "millrace.log.segment.deleted", "segments that retention removed");
        recovered = Counter.builder("millrace.log.recovered").baseUnit("bytes").description(
                "bytes scanned after an unclean stop").register(registry);
        truncated = Counter.builder("millrace.log.truncated").baseUnit("bytes").description(
                "bytes cut off because they were not a valid batch").register(registry);

        failures = counter(registry, "millrace.log.failures", "failures of a disk that a log met");
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    void flushed(Duration took) {
        fsync.record(took);
    }

    void committed(Duration took) {
        commit.record(took);
    }

    void rolled() {
        rolled.increment();
    }

    void deleted(int segments) {
        deleted.increment(segments);
    }

    void recovered(long bytes) {
        recovered.increment((double) bytes);
    }

    void truncated(long bytes) {
        truncated.increment((double) bytes);
    }

    void failed() {
        failures.increment();
    }
}
