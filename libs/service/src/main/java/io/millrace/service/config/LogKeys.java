package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
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

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/// Where logs lie, when they roll, what is kept, what is compacted; and what a new topic is by default.
final class LogKeys {
    private LogKeys() {}

    static void define(ConfigDef to) {
        directories(to);
        segments(to);
        retention(to);
        cleaner(to);
        records(to);
        topics(to);
    }

    private static void directories(ConfigDef to) {
        to.define("log.dir", STRING, "/tmp/kafka-logs", HIGH, "The log directory, where log.dirs is unset.")
                .define("log.dirs", LIST, null, HIGH, "Directories that hold partition logs.")
                .define("metadata.log.dir", STRING, null, HIGH, "Read by nothing: metadata live in ZooKeeper.")
                .define("num.recovery.threads.per.data.dir", INT, 2, atLeast(1), HIGH, "Threads that recover logs.")
                .define("log.dir.failure.timeout.ms", LONG, 30000L, atLeast(1), LOW, "Wait to report a failed one.")
                .define("cordoned.log.dirs", LIST, "", MEDIUM, "Directories that take no new partitions.");
    }

    private static void segments(ConfigDef to) {
        to.define("log.segment.bytes", INT, 1073741824, atLeast(14), HIGH, "Size at which a segment is closed.")
                .define("log.roll.ms", LONG, null, HIGH, "Age at which a segment is closed; before log.roll.hours.")
                .define("log.roll.hours", INT, 168, atLeast(1), HIGH, "The same in hours.")
                .define("log.roll.jitter.ms", LONG, null, HIGH, "Random part of that age; before the hours.")
                .define("log.roll.jitter.hours", INT, 0, atLeast(0), HIGH, "The same in hours.")
                .define("log.index.size.max.bytes", INT, 10485760, atLeast(4), MEDIUM, "Largest offset index.")
                .define("log.index.interval.bytes", INT, 4096, atLeast(0), MEDIUM, "Bytes between index entries.")
                .define("log.preallocate", BOOLEAN, false, MEDIUM, "Whether segments get their size at once.")
                .define("log.flush.mode", STRING, "background", ValidString.in("background", "group-commit"), HIGH,
                        "When a batch counts as written: once the system has it, or, by group-commit, the disk.")
                .define("log.open.files.max", INT, 4096, atLeast(1), MEDIUM,
                        "Most segment files that are open while nobody reads them.")
                .define("log.flush.interval.messages", LONG, Long.MAX_VALUE, atLeast(1), HIGH,
                        "Records between flushes.")
                .define("log.flush.interval.ms", LONG, null, HIGH, "Age at which a record is flushed.")
                .define("log.flush.scheduler.interval.ms", LONG, Long.MAX_VALUE, HIGH, "How often that is looked at.")
                .define("log.flush.offset.checkpoint.interval.ms", INT, 60000, atLeast(0), HIGH,
                        "How often recovery points are written.")
                .define("log.flush.start.offset.checkpoint.interval.ms", INT, 60000, atLeast(0), HIGH,
                        "How often log start offsets are written.")
                .define("log.segment.delete.delay.ms", LONG, 60000L, atLeast(0), HIGH,
                        "Wait before a file is removed.");
    }

    private static void retention(ConfigDef to) {
        to.define("log.retention.ms", LONG, null, HIGH, "How long records are kept, -1 for ever; before minutes.")
                .define("log.retention.minutes", INT, null, HIGH, "The same in minutes; before the hours.")
                .define("log.retention.hours", INT, 168, HIGH, "The same in hours.")
                .define("log.retention.bytes", LONG, -1L, HIGH, "Size to which a partition is cut; -1: none.")
                .define("log.retention.check.interval.ms", LONG, 300000L, atLeast(1), MEDIUM, "How often it is cut.")
                .define("log.cleanup.policy", LIST, "delete", ValidList.in("compact", "delete"), MEDIUM,
                        "delete, compact or both.");
    }

    private static void cleaner(ConfigDef to) {
        to.define("log.cleaner.enable", BOOLEAN, true, MEDIUM, "Whether compacted topics are compacted.")
                .define("log.cleaner.threads", INT, 1, atLeast(0), MEDIUM, "Threads that compact.")
                .define("log.cleaner.dedupe.buffer.size", LONG, 134217728L, MEDIUM, "Memory of the key maps.")
                .define("log.cleaner.io.buffer.size", INT, 524288, atLeast(0), MEDIUM, "Memory of copying.")
                .define("log.cleaner.io.buffer.load.factor", DOUBLE, 0.9d, MEDIUM, "How full a key map may be.")
                .define("log.cleaner.io.max.bytes.per.second", DOUBLE, Double.MAX_VALUE, MEDIUM, "Copying rate.")
                .define("log.cleaner.backoff.ms", LONG, 15000L, atLeast(0), MEDIUM, "Rest where nothing is dirty.")
                .define("log.cleaner.min.cleanable.ratio", DOUBLE, 0.5d, between(0, 1), MEDIUM,
                        "Dirty share at which a log is compacted.")
                .define("log.cleaner.delete.retention.ms", LONG, 86400000L, atLeast(0), MEDIUM, "Life of tombstones.")
                .define("log.cleaner.min.compaction.lag.ms", LONG, 0L, atLeast(0), MEDIUM, "Youngest compacted.")
                .define("log.cleaner.max.compaction.lag.ms", LONG, Long.MAX_VALUE, atLeast(1), MEDIUM,
                        "Oldest left uncompacted.");
    }

    private static void records(ConfigDef to) {
        to.define("message.max.bytes", INT, 1048588, atLeast(0), HIGH, "Largest batch of records.")
                .define("max.decompressed.message.bytes", INT, 2147483639, atLeast(1), LOW, "Largest once unpacked.")
                .define("log.message.timestamp.type", STRING, "CreateTime", Allowed.TIMESTAMP_TYPES, MEDIUM,
                        "Whose clock stamps a record.")
                .define("log.message.timestamp.before.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "How far a record's time may lie in the past.")
                .define("log.message.timestamp.after.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "How far it may lie in the future.")
                .define("log.message.timestamp.difference.max.ms", LONG, Long.MAX_VALUE, atLeast(0), MEDIUM,
                        "Read by nothing: before.max and after.max took its place.")
                .define("log.message.format.version", STRING, "3.0-IV1", MEDIUM, "Read by nothing: always v2.")
                .define("log.message.downconversion.enable", BOOLEAN, true, LOW, "Read by nothing: never done.")
                .define("inter.broker.protocol.version", STRING, "3.9-IV0", MEDIUM, "Read by nothing.")
                .define("compression.type", STRING, "producer", Allowed.CODECS, HIGH, "Codec of what is stored.")
                .define("compression.gzip.level", INT, -1, Allowed.GZIP_LEVEL, MEDIUM, "Level of gzip.")
                .define("compression.lz4.level", INT, 9, between(1, 17), MEDIUM, "Level of lz4.")
                .define("compression.zstd.level", INT, 3, between(-131072, 22), MEDIUM, "Level of zstd.");
    }

    private static void topics(ConfigDef to) {
        to.define("num.partitions", INT, 1, atLeast(1), MEDIUM, "Partitions of a topic that names no number.")
                .define("default.replication.factor", INT, 1, atLeast(1), MEDIUM, "Replicas of such a topic.")
                .define("min.insync.replicas", INT, 1, atLeast(1), HIGH, "In-sync replicas that acks=all needs.")
                .define("auto.create.topics.enable", BOOLEAN, true, HIGH, "Whether asking for a topic makes it.")
                .define("delete.topic.enable", BOOLEAN, true, HIGH, "Whether topics can be deleted.")
                .define("unclean.leader.election.enable", BOOLEAN, false, HIGH, "Whether an outsider may lead.")
                .define("create.topic.policy.class.name", STRING, null, LOW, "Class that judges new topics.")
                .define("alter.config.policy.class.name", STRING, null, LOW, "Class that judges new settings.")
                .define("errors.deadletterqueue.topic.name.prefix", STRING, "dlq.", LOW, "Read by nothing.");
    }
}
