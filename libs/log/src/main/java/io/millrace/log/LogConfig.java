package io.millrace.log;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.millrace.log.batch.BatchRules;
import io.millrace.log.batch.Codec;
import io.millrace.log.compaction.CompactionRules;
import io.millrace.log.retention.RetentionRules;
import io.millrace.log.segment.SegmentLimits;
import org.apache.kafka.common.record.internal.CompressionType;
import org.jspecify.annotations.Nullable;

/// Settings of one log, resolved: topic overrides over broker settings over defaults.
public record LogConfig(SegmentLimits segment, RetentionRules retention, BatchRules batch, CompactionRules compaction,
        FlushRules flush) {
    /// Kafka's defaults.
    public static final LogConfig DEFAULTS = of(Map.of());

    /// Reads Kafka's topic-level names (`segment.bytes`, ...); other names are not looked at. Values may be typed or text.
    ///
    /// @param settings validated values; what is missing gets Kafka's default
    public static LogConfig of(Map<String, ?> settings) {
        var values = new Values(settings);
        var policies = values.list("cleanup.policy", "delete");
        boolean compact = policies.contains("compact");
        return new LogConfig(segment(values), new RetentionRules(policies.contains("delete"), values.number(
                "retention.ms", 604_800_000), values.number("retention.bytes", -1)), batch(values, compact), compaction(
                        values, compact), new FlushRules(values.number("flush.messages", Long.MAX_VALUE), values.number(
                                "flush.ms", Long.MAX_VALUE)));
    }

    private static SegmentLimits segment(Values values) {
        return new SegmentLimits(values.integer("segment.bytes", 1 << 30), values.number("segment.ms", 604_800_000),
                values.number("segment.jitter.ms", 0), values.integer("segment.index.bytes", 10 << 20), values.integer(
                        "index.interval.bytes", 4096), Boolean.parseBoolean(values.text("preallocate", "false")), values
                                .number("file.delete.delay.ms", 60_000));
    }

    private static BatchRules batch(Values values, boolean compact) {
        return new BatchRules(values.integer("max.message.bytes", 1_048_588), values.text("message.timestamp.type",
                "CreateTime").equals("LogAppendTime"), values.number("message.timestamp.before.max.ms",
                        Long.MAX_VALUE), values.number("message.timestamp.after.max.ms", Long.MAX_VALUE), compact,
                codec(values));
    }

    private static CompactionRules compaction(Values values, boolean compact) {
        return new CompactionRules(compact, values.number("delete.retention.ms", 86_400_000), Double.parseDouble(values
                .text("min.cleanable.dirty.ratio", "0.5")), values.number("min.compaction.lag.ms", 0), values.number(
                        "max.compaction.lag.ms", Long.MAX_VALUE));
    }

    private static @Nullable Codec codec(Values values) {
        var name = values.text("compression.type", "producer");
        if (name.equals("producer")) {
            return null;
        }
        var type = name.equals("uncompressed") ? CompressionType.NONE : CompressionType.forName(name);
        return new Codec(type, switch (type) {
            case NONE, SNAPPY -> 0;
            case GZIP -> values.integer("compression.gzip.level", -1);
            case LZ4 -> values.integer("compression.lz4.level", 9);
            case ZSTD -> values.integer("compression.zstd.level", 3);
        });
    }

    private record Values(Map<String, ?> settings) {
        String text(String name, String otherwise) {
            var value = settings.get(name);
            return value == null ? otherwise : value.toString();
        }

        long number(String name, long otherwise) {
            var value = settings.get(name);
            return value == null ? otherwise : Long.parseLong(value.toString());
        }

        int integer(String name, int otherwise) {
            return Math.toIntExact(number(name, otherwise));
        }

        List<String> list(String name, String otherwise) {
            return settings.get(name) instanceof List<?> values
                    ? values.stream().map(Object::toString).toList()
                    : Arrays.stream(text(name, otherwise).split(",", -1)).map(String::strip).toList();
        }
    }
}
