package io.millrace.service.config;

import java.util.List;

import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/// Limits on values that a broker-level key shares with its topic-level twin.
final class Allowed {
    static final Validator CODECS = ValidString.in("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer");
    static final Validator TIMESTAMP_TYPES = ValidString.in("CreateTime", "LogAppendTime");

    /// 1 to 9, or -1 for the codec's own choice.
    static final Validator GZIP_LEVEL = Allowed::gzipLevel;

    /// `*`, or pairs of partition and broker: `0:1,0:2`.
    static final Validator THROTTLED_REPLICAS = Allowed::throttledReplicas;

    private Allowed() {}

    private static void gzipLevel(String name, @Nullable Object value) {
        if (value instanceof Integer level && level != -1 && (level < 1 || level > 9)) {
            throw new ConfigException(name, value, "Value must be between 1 and 9 or equal to -1");
        }
    }

    private static void throttledReplicas(String name, @Nullable Object value) {
        if (value instanceof List<?> replicas && !replicas.equals(List.of("*"))
                && !replicas.stream().allMatch(replica -> replica.toString().matches("\\d+:\\d+"))) {
            throw new ConfigException(name, value,
                    "Must be the literal '*' or a list of replicas in the form of partitionId:brokerId");
        }
    }
}
