package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The settings that can be made for one group (KIP-848), each between limits that the nodes were started with.
public final class GroupSettings {
    private static final String SESSION = "consumer.session.timeout.ms";
    private static final String HEARTBEAT = "consumer.heartbeat.interval.ms";
    private static final String SERVER_PREFIX = "group.";
    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(SESSION, INT, 45000, atLeast(1), MEDIUM, "After which a silent member is out.")
            .define(HEARTBEAT, INT, 5000, atLeast(1), MEDIUM, "At which members are told to report.");

    private final Map<String, String> overrides;
    private final ServerSettings server;

    private GroupSettings(Map<String, String> overrides, ServerSettings server) {
        this.overrides = Map.copyOf(overrides);
        this.server = server;
    }

    /// What holds for a group. A value outside the limits of this node counts as the nearest one inside.
    ///
    /// @param overrides what was set for it
    public static GroupSettings resolve(Map<String, String> overrides, ServerSettings server) {
        return new GroupSettings(overrides, server);
    }

    /// What keeps `key` from being set at all; empty where nothing does.
    public static Optional<SettingProblem> unknown(String key) {
        return DEFINITION.configKeys().containsKey(key)
                ? Optional.empty()
                : problem(key, "Unknown group config name: " + key);
    }

    /// What keeps one key from being set to `value`; empty where nothing does.
    public static Optional<SettingProblem> validate(String key, @Nullable String value, ServerSettings server) {
        var known = DEFINITION.configKeys().get(key);
        if (known == null) {
            return problem(key, "Unknown group config name: " + key);
        }
        try {
            var parsed = value == null ? null : ConfigDef.parseType(key, value, known.type);
            if (!(parsed instanceof Integer number)) {
                return problem(key, "Null value not supported for group configs: " + key);
            }
            int least = server.getInt(limit(key, "min"));
            int most = server.getInt(limit(key, "max"));
            return number < least || number > most
                    ? problem(key, key + " must be between " + least + " and " + most + ".")
                    : Optional.empty();
        } catch (ConfigException invalid) {
            return problem(key, String.valueOf(invalid.getMessage()));
        }
    }

    /// `consumer.session.timeout.ms`.
    public int sessionTimeoutMillis() {
        return get(SESSION);
    }

    /// `consumer.heartbeat.interval.ms`.
    public int heartbeatIntervalMillis() {
        return get(HEARTBEAT);
    }

    /// Every setting with its value and where that comes from, by name.
    public List<ConfigEntry> describe() {
        return DEFINITION.configKeys().values().stream().map(key -> {
            var synonyms = new ArrayList<Synonym>();
            var override = overrides.get(key.name);
            if (override != null) {
                synonyms.add(new Synonym(key.name, override, Source.GROUP));
            }
            server.describe().stream().filter(entry -> entry.name().equals(SERVER_PREFIX + key.name))
                    .forEach(entry -> synonyms.addAll(entry.synonyms()));
            var first = synonyms.getFirst();
            return new ConfigEntry(key.name, Integer.toString(get(key.name)), first.source(), false, false, key.type,
                    synonyms, key.documentation);
        }).toList();
    }

    private int get(String key) {
        var override = overrides.get(key);
        int wanted = override != null && isNumber(override)
                ? Integer.parseInt(override.strip())
                : server.getInt(SERVER_PREFIX + key);
        return Math.clamp(wanted, server.getInt(limit(key, "min")), server.getInt(limit(key, "max")));
    }

    private static boolean isNumber(String text) {
        return text.strip().matches("\\d{1,9}");
    }

    private static String limit(String key, String which) {
        return SERVER_PREFIX + key.replaceFirst("\\.", "." + which + ".");
    }

    private static Optional<SettingProblem> problem(String key, String message) {
        return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG, message));
    }
}
