package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import org.apache.kafka.common.config.ConfigDef;

/// How replicas follow, how reads are bounded, and how leaders are chosen and moved.
final class ReplicationKeys {
    private ReplicationKeys() {}

    static void define(ConfigDef to) {
        replication(to);
        fetch(to);
        controller(to);
    }

    private static void replication(ConfigDef to) {
        to.define("num.replica.fetchers", INT, 1, HIGH, "Connections to each leader that is followed.")
                .define("replica.fetch.max.bytes", INT, 1048576, atLeast(0), MEDIUM, "Bytes of a partition a fetch.")
                .define("replica.fetch.response.max.bytes", INT, 10485760, atLeast(0), MEDIUM, "Bytes of a fetch.")
                .define("replica.fetch.min.bytes", INT, 1, HIGH, "Bytes for which a leader lets a follower wait.")
                .define("replica.fetch.wait.max.ms", INT, 500, HIGH, "How long it lets it wait.")
                .define("replica.fetch.backoff.ms", INT, 1000, atLeast(0), MEDIUM, "Rest after a failed fetch.")
                .define("replica.lag.time.max.ms", LONG, 30000L, HIGH, "Lag at which a replica leaves the ISR.")
                .define("replica.high.watermark.checkpoint.interval.ms", LONG, 5000L, HIGH,
                        "How often high watermarks are written.")
                .define("replica.socket.timeout.ms", INT, 30000, HIGH, "Wait for a leader's answer.")
                .define("replica.socket.receive.buffer.bytes", INT, 65536, HIGH, "SO_RCVBUF of a follower.")
                .define("replica.selector.class", STRING, null, MEDIUM, "Class that names the replica to read from.")
                .define("leader.replication.throttled.rate", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "Bytes a second that leaders give to throttled replicas.")
                .define("follower.replication.throttled.rate", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "Bytes a second that throttled replicas take.")
                .define("replica.alter.log.dirs.io.max.bytes.per.second", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "Bytes a second of moves between directories.")
                .define("num.replica.alter.log.dirs.threads", INT, null, HIGH, "Threads of such moves.");
    }

    private static void fetch(ConfigDef to) {
        to.define("fetch.max.bytes", INT, 57671680, atLeast(1024), MEDIUM, "Bytes of any fetch.")
                .define("max.incremental.fetch.session.cache.slots", INT, 1000, atLeast(0), MEDIUM, "Fetch sessions.")
                .define("fetch.purgatory.purge.interval.requests", INT, 1000, MEDIUM, "Read by nothing.")
                .define("producer.purgatory.purge.interval.requests", INT, 1000, MEDIUM, "Read by nothing.")
                .define("delete.records.purgatory.purge.interval.requests", INT, 1, MEDIUM, "Read by nothing.")
                .define("max.request.partition.size.limit", INT, 2000, atLeast(1), MEDIUM,
                        "Partitions that one answer may describe.");
    }

    private static void controller(ConfigDef to) {
        to.define("auto.leader.rebalance.enable", BOOLEAN, true, HIGH, "Whether leaders go back by themselves.")
                .define("leader.imbalance.check.interval.seconds", LONG, 300L, atLeast(1), HIGH, "How often.")
                .define("leader.imbalance.per.broker.percentage", INT, 10, HIGH, "Imbalance that is borne.")
                .define("controlled.shutdown.enable", BOOLEAN, true, MEDIUM, "Whether a stop moves leaders away first.")
                .define("controlled.shutdown.max.retries", INT, 3, MEDIUM, "How often that is tried.")
                .define("controlled.shutdown.retry.backoff.ms", LONG, 5000L, MEDIUM, "Rest between two tries.")
                .define("controller.socket.timeout.ms", INT, 30000, MEDIUM, "Wait for the controller's answer.")
                .define("broker.session.timeout.ms", INT, 9000, MEDIUM, "Silence after which a node is lost.")
                .define("broker.heartbeat.interval.ms", INT, 2000, MEDIUM, "Pace of a node's sign of life.")
                .define("controller.quorum.voters", STRING, "", HIGH, "Read by nothing: ZooKeeper elects.")
                .define("controller.listener.names", STRING, "", HIGH, "Read by nothing.")
                .define("metadata.max.idle.interval.ms", INT, 500, atLeast(0), LOW, "Pace of the stream's heartbeat.");
    }
}
