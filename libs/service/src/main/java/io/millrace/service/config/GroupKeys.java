package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.SHORT;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/// Groups of every kind, and the topic that remembers them.
final class GroupKeys {
    private GroupKeys() {}

    static void define(ConfigDef to) {
        offsets(to);
        classic(to);
        coordinator(to);
        consumer(to);
        shareAndStreams(to);
    }

    private static void offsets(ConfigDef to) {
        to.define("offsets.topic.num.partitions", INT, 50, atLeast(1), HIGH, "Partitions of __consumer_offsets.")
                .define("offsets.topic.replication.factor", SHORT, (short) 3, atLeast(1), HIGH, "Its replicas.")
                .define("offsets.topic.segment.bytes", INT, 104857600, atLeast(1), HIGH, "Its segments.")
                .define("offsets.topic.compression.codec", INT, 0, between(0, 4), HIGH, "Id of its codec.")
                .define("offsets.retention.minutes", INT, 10080, atLeast(1), HIGH,
                        "How long an empty group keeps them.")
                .define("offsets.retention.check.interval.ms", LONG, 600000L, atLeast(1), HIGH,
                        "How often they expire.")
                .define("offsets.commit.timeout.ms", INT, 5000, atLeast(1), HIGH, "Longest wait for a commit.")
                .define("offsets.commit.required.acks", SHORT, (short) -1, HIGH, "Read by nothing: always all.")
                .define("offsets.load.buffer.size", INT, 5242880, atLeast(1), HIGH, "Bytes of a fetch while loading.")
                .define("offset.metadata.max.bytes", INT, 4096, HIGH, "Longest text beside an offset.");
    }

    private static void classic(ConfigDef to) {
        to.define("group.min.session.timeout.ms", INT, 6000, MEDIUM, "Shortest session of a classic member.")
                .define("group.max.session.timeout.ms", INT, 1800000, MEDIUM, "Longest one.")
                .define("group.initial.rebalance.delay.ms", INT, 3000, MEDIUM, "Wait for more members at first.")
                .define("group.max.size", INT, Integer.MAX_VALUE, atLeast(1), MEDIUM, "Members of a group.");
    }

    private static void coordinator(ConfigDef to) {
        to.define("group.coordinator.rebalance.protocols", LIST, "classic,consumer,streams",
                ValidList.in("classic", "consumer", "share", "streams"), MEDIUM, "Group protocols that are served.")
                .define("group.coordinator.threads", INT, 4, atLeast(1), HIGH, "Loops that shards run on.")
                .define("group.coordinator.append.linger.ms", INT, -1, atLeast(-1), MEDIUM,
                        "How long an append waits for more; -1: while another is in flight.")
                .define("group.coordinator.new.enable", BOOLEAN, true, MEDIUM, "Read by nothing.");
    }

    private static void consumer(ConfigDef to) {
        to.define("group.consumer.session.timeout.ms", INT, 45000, atLeast(1), MEDIUM, "Session of a member.")
                .define("group.consumer.min.session.timeout.ms", INT, 45000, atLeast(1), MEDIUM, "Shortest one.")
                .define("group.consumer.max.session.timeout.ms", INT, 60000, atLeast(1), MEDIUM, "Longest one.")
                .define("group.consumer.heartbeat.interval.ms", INT, 5000, atLeast(1), MEDIUM, "Pace of heartbeats.")
                .define("group.consumer.min.heartbeat.interval.ms", INT, 5000, atLeast(1), MEDIUM, "Fastest one.")
                .define("group.consumer.max.heartbeat.interval.ms", INT, 15000, atLeast(1), MEDIUM, "Slowest one.")
                .define("group.consumer.max.size", INT, Integer.MAX_VALUE, atLeast(1), MEDIUM, "Members of a group.")
                .define("group.consumer.assignors", LIST, "uniform,range", MEDIUM, "Assignors, the default first.")
                .define("group.consumer.migration.policy", STRING, "bidirectional",
                        ValidString.in("disabled", "downgrade", "upgrade", "bidirectional"), MEDIUM,
                        "Which way a group may change its protocol.")
                .define("group.consumer.regex.refresh.interval.ms", INT, 600000, atLeast(10000), MEDIUM,
                        "How often a pattern is matched anew.");
    }

    private static void shareAndStreams(ConfigDef to) {
        to.define("group.share.session.timeout.ms", INT, 45000, atLeast(1), MEDIUM, "Session of a share member.")
                .define("group.share.record.lock.duration.ms", INT, 30000, between(1000, 3600000), MEDIUM,
                        "How long a record is one member's.")
                .define("group.share.delivery.count.limit", INT, 5, between(2, 10), MEDIUM, "Deliveries of a record.")
                .define("group.share.partition.max.record.locks", INT, 2000, between(100, 10000), MEDIUM,
                        "Records of a partition in hand.")
                .define("group.share.max.size", INT, 200, between(1, 1000), MEDIUM, "Members of a share group.")
                .define("share.coordinator.state.topic.num.partitions", INT, 50, atLeast(1), HIGH,
                        "Of its state topic.")
                .define("group.streams.session.timeout.ms", INT, 45000, atLeast(1), MEDIUM, "Of a Streams member.")
                .define("group.streams.num.standby.replicas", INT, 0, atLeast(0), LOW, "Standby tasks.");
    }
}
