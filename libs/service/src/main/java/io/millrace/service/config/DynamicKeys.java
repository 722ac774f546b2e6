package io.millrace.service.config;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The broker-level settings that change while a node runs. Whoever goes by one of them reads it from [LiveSettings] each
/// time, or is told when it changes; a key is named here once its owner does so.
public final class DynamicKeys {
    /// Each node for itself, or all of them.
    private static final List<String> OWN = List.of("follower.replication.throttled.rate",
            "leader.replication.throttled.rate", "max.connections", "max.connections.per.ip",
            "producer.id.expiration.ms", "replica.alter.log.dirs.io.max.bytes.per.second",
            "transaction.partition.verification.enable");

    /// What topics go by that do not say otherwise: by Kafka's rule the first synonym of each topic setting, in milliseconds
    /// where there are several.
    private static final Set<String> OF_TOPICS = TopicCatalogue.definition().names().stream()
            .map(TopicCatalogue::synonyms)
            .filter(names -> !names.isEmpty())
            .map(List::getFirst)
            .collect(Collectors.toUnmodifiableSet());

    private DynamicKeys() {}

    /// Whether that key can be changed while a node runs.
    public static boolean contains(String key) {
        return OWN.contains(key) || OF_TOPICS.contains(key);
    }

    /// Whether any of those keys is a default of topics.
    public static boolean anyOfTopics(Collection<String> keys) {
        return keys.stream().anyMatch(OF_TOPICS::contains);
    }

    /// All of them, in no order.
    public static Set<String> all() {
        return Stream.concat(OWN.stream(), OF_TOPICS.stream()).collect(Collectors.toUnmodifiableSet());
    }

    /// What keeps `key` from being changed at all while a node runs; empty where nothing does.
    public static Optional<SettingProblem> unchangeable(String key) {
        if (contains(key)) {
            return Optional.empty();
        }
        return Optional.of(ServerCatalogue.isKnown(key)
                ? new SettingProblem(key, Errors.INVALID_REQUEST, "Cannot update these configs dynamically: " + key)
                : new SettingProblem(key, Errors.INVALID_CONFIG, "Unknown broker config name: " + key));
    }

    /// What keeps `key` from being set to `value` while a node runs; empty where nothing does.
    public static Optional<SettingProblem> validate(String key, @Nullable String value) {
        return unchangeable(key).or(() -> {
            try {
                parse(key, value);
                return Optional.empty();
            } catch (ConfigException invalid) {
                return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG, String.valueOf(invalid
                        .getMessage())));
            }
        });
    }

    private static void parse(String key, @Nullable String text) {
        if (text == null) {
            throw new ConfigException(key, null, "Null value not supported for broker configs");
        }
        ConfigKey known = ServerCatalogue.definition().configKeys().get(key);
        if (known == null) {
            throw new ConfigException(key, text, "Unknown broker config name");
        }
        ServerSettings.parse(known, text);
    }
}
