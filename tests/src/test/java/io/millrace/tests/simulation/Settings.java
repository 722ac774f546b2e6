package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.millrace.base.loop.Backoff;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.service.config.ServerSettings;

/// The settings of all simulated nodes: short times and small files, so that much happens within few events.
final class Settings {
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    static final Duration GRACE = Duration.ofSeconds(2);
    static final StreamConfig STREAM = new StreamConfig(4, 1 << 20, Duration.ofMillis(700), Duration.ofSeconds(2),
            1 << 20, new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1)));

    /// Of a topic's log: segments of a few records.
    static final Map<String, String> SMALL_SEGMENTS = Map.of("segment.bytes", "1000", "index.interval.bytes", "200",
            "segment.index.bytes", "240", "file.delete.delay.ms", "500");

    /// Parsed once for each node: that takes longer than many a simulated second.
    private static final Map<Integer, ServerSettings> PARSED = new ConcurrentHashMap<>();

    private Settings() {}

    static ServerSettings of(int node) {
        return PARSED.computeIfAbsent(node, Settings::parsed);
    }

    private static ServerSettings parsed(int node) {
        var given = new TreeMap<String, String>();
        given.put("broker.id", Integer.toString(node));
        given.put("zookeeper.connect", "simulated:2181");
        given.put("zookeeper.session.timeout.ms", Long.toString(SESSION_TIMEOUT.toMillis()));
        given.put("log.dirs", "/data/a,/data/b");
        given.put("replica.lag.time.max.ms", "2000");
        given.put("replica.high.watermark.checkpoint.interval.ms", "2000");
        given.put("log.flush.offset.checkpoint.interval.ms", "2000");
        given.put("leader.imbalance.check.interval.seconds", "5");
        // Until the metadata say more of a topic: what a recovery maps should be small as well.
        given.put("log.index.size.max.bytes", "240");
        given.put("offsets.topic.replication.factor", "3");
        given.put("transaction.state.log.num.partitions", "2");
        given.put("offsets.topic.num.partitions", "1");
        return ServerSettings.of(given);
    }
}
