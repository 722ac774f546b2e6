package io.millrace.admin.upstream;

/// Where values of settings come from, in Confluent's words.
public final class ConfigSources {
    private ConfigSources() {}

    /// The word for Kafka's number.
    public static String name(byte id) {
        return switch (id) {
            case 1 -> "DYNAMIC_TOPIC_CONFIG";
            case 2 -> "DYNAMIC_BROKER_CONFIG";
            case 3 -> "DYNAMIC_DEFAULT_BROKER_CONFIG";
            case 4 -> "STATIC_BROKER_CONFIG";
            case 5 -> "DEFAULT_CONFIG";
            case 6 -> "DYNAMIC_BROKER_LOGGER_CONFIG";
            case 8 -> "DYNAMIC_GROUP_CONFIG";
            default -> "UNKNOWN";
        };
    }
}
