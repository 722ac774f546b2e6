package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.DOUBLE;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import java.util.List;
import java.util.Map;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ValidList;

/// Every topic-level key with Kafka's type, default and limits, and the broker-level keys that give its default.
final class TopicCatalogue {
    private static final ConfigDef DEFINITION = define();

    /// Broker-level keys of a topic-level one, the one that wins first. A key that is not here has none.
    private static final Map<String, List<String>> SYNONYMS = Map.ofEntries(
            Map.entry("cleanup.policy", List.of("log.cleanup.policy")),
            Map.entry("compression.gzip.level", List.of("compression.gzip.level")),
            Map.entry("compression.lz4.level", List.of("compression.lz4.level")),
            Map.entry("compression.type", List.of("compression.type")),
            Map.entry("compression.zstd.level", List.of("compression.zstd.level")),
            Map.entry("delete.retention.ms", List.of("log.cleaner.delete.retention.ms")),
            Map.entry("file.delete.delay.ms", List.of("log.segment.delete.delay.ms")),
            Map.entry("flush.messages", List.of("log.flush.interval.messages")),
            Map.entry("flush.ms", List.of("log.flush.interval.ms", "log.flush.scheduler.interval.ms")),
            Map.entry("index.interval.bytes", List.of("log.index.interval.bytes")),
            Map.entry("local.retention.bytes", List.of("log.local.retention.bytes")),
            Map.entry("local.retention.ms", List.of("log.local.retention.ms")),
            Map.entry("max.compaction.lag.ms", List.of("log.cleaner.max.compaction.lag.ms")),
            Map.entry("max.decompressed.message.bytes", List.of("max.decompressed.message.bytes")),
            Map.entry("max.message.bytes", List.of("message.max.bytes")),
            Map.entry("message.downconversion.enable", List.of("log.message.downconversion.enable")),
            Map.entry("message.format.version", List.of("log.message.format.version")),
            Map.entry("message.timestamp.after.max.ms", List.of("log.message.timestamp.after.max.ms")),
            Map.entry("message.timestamp.before.max.ms", List.of("log.message.timestamp.before.max.ms")),
            Map.entry("message.timestamp.difference.max.ms", List.of("log.message.timestamp.difference.max.ms")),
            Map.entry("message.timestamp.type", List.of("log.message.timestamp.type")),
            Map.entry("min.cleanable.dirty.ratio", List.of("log.cleaner.min.cleanable.ratio")),
            Map.entry("min.compaction.lag.ms", List.of("log.cleaner.min.compaction.lag.ms")),
            Map.entry("min.insync.replicas", List.of("min.insync.replicas")),
            Map.entry("preallocate", List.of("log.preallocate")),
            Map.entry("remote.copy.lag.bytes", List.of("log.remote.copy.lag.bytes")),
            Map.entry("remote.copy.lag.ms", List.of("log.remote.copy.lag.ms")),
            Map.entry("retention.bytes", List.of("log.retention.bytes")),
            Map.entry("retention.ms", List.of("log.retention.ms", "log.retention.minutes", "log.retention.hours")),
            Map.entry("segment.bytes", List.of("log.segment.bytes")),
            Map.entry("segment.index.bytes", List.of("log.index.size.max.bytes")),
            Map.entry("segment.jitter.ms", List.of("log.roll.jitter.ms", "log.roll.jitter.hours")),
            Map.entry("segment.ms", List.of("log.roll.ms", "log.roll.hours")),
            Map.entry("unclean.leader.election.enable", List.of("unclean.leader.election.enable")));

    private TopicCatalogue() {}

    static ConfigDef definition() {
        return DEFINITION;
    }

    static List<String> synonyms(String key) {
        return SYNONYMS.getOrDefault(key, List.of());
    }

    private static ConfigDef define() {
        var definition = new ConfigDef();
        retention(definition);
        compaction(definition);
        durability(definition);
        records(definition);
        throttles(definition);
        tiers(definition);
        return definition;
    }

    private static void retention(ConfigDef to) {
        to.define("cleanup.policy", LIST, "delete", ValidList.in("compact", "delete"), MEDIUM,
                "What happens to old segments: delete, compact, or both.")
                .define("retention.ms", LONG, 604800000L, atLeast(-1), MEDIUM,
                        "How long records are kept; -1: for ever.")
                .define("retention.bytes", LONG, -1L, MEDIUM, "Size to which a partition is cut; -1: none.")
                .define("segment.bytes", INT, 1073741824, atLeast(14), MEDIUM, "Size at which a segment is closed.")
                .define("segment.ms", LONG, 604800000L, atLeast(1), MEDIUM, "Age at which a segment is closed.")
                .define("segment.jitter.ms", LONG, 0L, atLeast(0), MEDIUM, "Random part taken off that age.")
                .define("segment.index.bytes", INT, 10485760, atLeast(4), MEDIUM, "Largest offset index.")
                .define("index.interval.bytes", INT, 4096, atLeast(0), MEDIUM, "Bytes between two index entries.")
                .define("file.delete.delay.ms", LONG, 60000L, atLeast(0), MEDIUM, "Wait before a file is removed.");
    }

    private static void compaction(ConfigDef to) {
        to.define("delete.retention.ms", LONG, 86400000L, atLeast(0), MEDIUM, "How long tombstones stay to be seen.")
                .define("min.cleanable.dirty.ratio", DOUBLE, 0.5d, between(0, 1), MEDIUM,
                        "Dirty share at which a log is compacted.")
                .define("min.compaction.lag.ms", LONG, 0L, atLeast(0), MEDIUM, "Younger records are left alone.")
                .define("max.compaction.lag.ms", LONG, Long.MAX_VALUE, atLeast(1), MEDIUM,
                        "Older records are compacted whatever the dirty share.");
    }

    private static void durability(ConfigDef to) {
        to.define("min.insync.replicas", INT, 1, atLeast(1), MEDIUM, "In-sync replicas that acks=all needs.")
                .define("unclean.leader.election.enable", BOOLEAN, false, MEDIUM,
                        "Whether a replica out of sync may lead where no other can, at the price of records.")
                .define("flush.messages", LONG, Long.MAX_VALUE, atLeast(1), MEDIUM, "Records between two flushes.")
                .define("flush.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM, "Age at which records are flushed.")
                .define("preallocate", BOOLEAN, false, MEDIUM, "Whether segment files get their size at once.");
    }

    private static void records(ConfigDef to) {
        to.define("max.message.bytes", INT, 1048588, atLeast(0), MEDIUM, "Largest batch of records.")
                .define("max.decompressed.message.bytes", INT, 2147483639, atLeast(1), LOW, "Largest once unpacked.")
                .define("compression.type", STRING, "producer", Allowed.CODECS, MEDIUM,
                        "Codec of what is stored; producer: as it came.")
                .define("compression.gzip.level", INT, -1, Allowed.GZIP_LEVEL, MEDIUM, "Level of gzip.")
                .define("compression.lz4.level", INT, 9, between(1, 17), MEDIUM, "Level of lz4.")
                .define("compression.zstd.level", INT, 3, between(-131072, 22), MEDIUM, "Level of zstd.")
                .define("message.timestamp.type", STRING, "CreateTime", Allowed.TIMESTAMP_TYPES, MEDIUM,
                        "Whose clock stamps a record: the producer's or the broker's.")
                .define("message.timestamp.before.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "How far a record's time may lie in the past.")
                .define("message.timestamp.after.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "How far it may lie in the future.")
                .define("message.timestamp.difference.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "Accepted for old tools; before.max and after.max decide.")
                .define("message.format.version", STRING, "3.0-IV1", MEDIUM, "Accepted for old tools; always v2.")
                .define("message.downconversion.enable", BOOLEAN, true, LOW, "Accepted for old tools; never done.");
    }

    private static void throttles(ConfigDef to) {
        to.define("leader.replication.throttled.replicas", LIST, "", Allowed.THROTTLED_REPLICAS, MEDIUM,
                "Replicas, partition:broker each or *, that are throttled as leaders.")
                .define("follower.replication.throttled.replicas", LIST, "", Allowed.THROTTLED_REPLICAS, MEDIUM,
                        "Replicas, partition:broker each or *, that are throttled as followers.");
    }

    private static void tiers(ConfigDef to) {
        to.define("remote.storage.enable", BOOLEAN, false, MEDIUM, "Whether old segments move to a cheaper store.")
                .define("local.retention.ms", LONG, -2L, atLeast(-2), MEDIUM, "How long they stay here as well.")
                .define("local.retention.bytes", LONG, -2L, atLeast(-2), MEDIUM, "How much of them stays here as well.")
                .define("remote.log.copy.disable", BOOLEAN, false, MEDIUM, "Whether nothing more moves.")
                .define("remote.log.delete.on.disable", BOOLEAN, false, MEDIUM, "Whether moved ones go when disabled.")
                .define("remote.copy.lag.ms", LONG, 0L, atLeast(-1), MEDIUM, "Age before a segment moves.")
                .define("remote.copy.lag.bytes", LONG, -1L, atLeast(-1), MEDIUM, "Size kept before a segment moves.")
                .define("errors.deadletterqueue.group.enable", BOOLEAN, false, LOW, "Accepted; share groups use it.");
    }
}
