package io.millrace.metadata.zookeeper;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/// Meters of the session with ZooKeeper, under the names that Kafka's have.
final class ZooKeeperMetrics {
    private final Counter connects;
    private final Counter disconnects;
    private final Counter expires;
    private final Timer latency;

    ZooKeeperMetrics(MeterRegistry meters) {
        connects = meters.counter("kafka.server.sessionexpirelistener.zookeepersyncconnects");
        disconnects = meters.counter("kafka.server.sessionexpirelistener.zookeeperdisconnects");
        expires = meters.counter("kafka.server.sessionexpirelistener.zookeeperexpires");
        latency = meters.timer("millrace.zookeeper.request");
    }

    void changed(SessionState state) {
        switch (state) {
            case CONNECTED -> connects.increment();
            case SUSPENDED -> disconnects.increment();
            case LOST -> expires.increment();
        }
    }

    void answered(Duration took) {
        latency.record(took);
    }
}
