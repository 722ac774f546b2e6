package io.millrace.service.config;

import java.util.List;

import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/// One setting as DescribeConfigs and REST tell it.
///
/// @param value as text; null where it has none, or where it is sensitive
/// @param source where the value comes from: that of the first synonym
/// @param sensitive a password: never told
/// @param readOnly cannot be changed while the node runs
/// @param synonyms all places that set it or give its default, the one that wins first
/// @param documentation what it does
public record ConfigEntry(String name, @Nullable String value, Source source, boolean sensitive, boolean readOnly,
        ConfigDef.Type type, List<Synonym> synonyms, String documentation) {
    public ConfigEntry {
        synonyms = List.copyOf(synonyms);
    }

    /// Whether nobody set it.
    public boolean isDefault() {
        return source == Source.DEFAULT;
    }

    /// A place that says something on a setting.
    ///
    /// @param name of the key there
    /// @param value there, as text; null where it has none, or where it is sensitive
    public record Synonym(String name, @Nullable String value, Source source) {}

    /// Where a value comes from.
    public enum Source {
        /// Set for that topic.
        TOPIC(1),
        /// Set for that broker while it ran.
        DYNAMIC_BROKER(2),
        /// Set for all brokers while they ran.
        DYNAMIC_DEFAULT_BROKER(3),
        /// From the broker's start.
        STATIC_BROKER(4),
        /// Nobody set it.
        DEFAULT(5),
        /// A logger's level.
        DYNAMIC_BROKER_LOGGER(6),
        /// Set for that group.
        GROUP(8);

        private final byte code;

        Source(int code) {
            this.code = (byte) code;
        }

        /// Kafka's number for it in DescribeConfigs.
        public byte code() {
            return code;
        }
    }
}
