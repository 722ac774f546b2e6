package io.millrace.service.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The settings that hold for one topic: what was set for it, else what its broker-level synonym says.
public final class TopicSettings {
    private final Map<String, String> overrides;
    private final Map<String, Object> values;
    private final ServerSettings server;

    private TopicSettings(Map<String, String> overrides, Map<String, Object> values, ServerSettings server) {
        this.overrides = Map.copyOf(overrides);
        this.values = Map.copyOf(values);
        this.server = server;
    }

    /// The catalogue of all topic-level keys: type, default, limits and meaning of each.
    public static ConfigDef definition() {
        return TopicCatalogue.definition();
    }

    /// The broker-level keys that give a topic-level one its default, the one that wins first; empty where none does.
    public static List<String> synonyms(String key) {
        return TopicCatalogue.synonyms(key);
    }

    /// What keeps `overrides` from being set, by key; empty where nothing does.
    ///
    /// @param overrides values by key; a null value is a problem of its own
    public static List<SettingProblem> validate(Map<String, ? extends @Nullable String> overrides) {
        var problems = new ArrayList<SettingProblem>();
        new TreeMap<String, @Nullable String>(overrides)
                .forEach((key, value) -> validate(key, value).ifPresent(problems::add));
        if (problems.isEmpty()) {
            lagOrder(overrides).ifPresent(problems::add);
        }
        return problems;
    }

    /// What keeps one key from being set to `value`; empty where nothing does.
    public static Optional<SettingProblem> validate(String key, @Nullable String value) {
        var known = definition().configKeys().get(key);
        if (known == null) {
            return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG, "Unknown topic config name: " + key));
        }
        if (value == null) {
            return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG,
                    "Null value not supported for topic configs: " + key));
        }
        try {
            parse(known, value);
            return Optional.empty();
        } catch (ConfigException invalid) {
            return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG, String.valueOf(invalid.getMessage())));
        }
    }

    private static Optional<SettingProblem> lagOrder(Map<String, ? extends @Nullable String> overrides) {
        var most = overrides.get("max.compaction.lag.ms");
        var least = overrides.get("min.compaction.lag.ms");
        if (most == null || least == null || Long.parseLong(least.strip()) <= Long.parseLong(most.strip())) {
            return Optional.empty();
        }
        return Optional.of(new SettingProblem("max.compaction.lag.ms", Errors.INVALID_CONFIG,
                "conflict topic config setting min.compaction.lag.ms (" + least + ") > max.compaction.lag.ms (" + most
                        + ")"));
    }

    /// What holds for a topic. An override that an old tool wrote past all checks and that cannot be read is left out, as
    /// if it had not been set: see [#validate].
    public static TopicSettings resolve(Map<String, String> overrides, ServerSettings server) {
        var valid = new HashMap<String, String>();
        overrides.forEach((key, value) -> {
            if (validate(key, value).isEmpty()) {
                valid.put(key, value);
            }
        });
        var values = new HashMap<String, Object>();
        for (var key : definition().configKeys().values()) {
            var override = valid.get(key.name);
            values.put(key.name, override == null ? defaultOf(key, server) : parse(key, override));
        }
        return new TopicSettings(valid, values, server);
    }

    private static Object parse(ConfigKey key, String text) {
        var value = ConfigDef.parseType(key.name, text, key.type);
        if (key.validator != null) {
            key.validator.ensureValid(key.name, value);
        }
        return value;
    }

    private static Object defaultOf(ConfigKey key, ServerSettings server) {
        return switch (key.name) {
            case "retention.ms" -> server.logRetentionMillis();
            case "segment.ms" -> server.logRollMillis();
            case "segment.jitter.ms" -> server.logRollJitterMillis();
            case "flush.ms" -> server.logFlushIntervalMillis();
            default -> synonyms(key.name).stream().findFirst().flatMap(server::find).orElse(key.defaultValue);
        };
    }

    /// An `int` or `long` key.
    ///
    /// @throws IllegalArgumentException where there is no such key, or of another type; also thrown by all that follow
    public long getLong(String key) {
        return get(key, Number.class).longValue();
    }

    /// An `int` key.
    public int getInt(String key) {
        return get(key, Integer.class);
    }

    /// A `double` key.
    public double getDouble(String key) {
        return get(key, Double.class);
    }

    /// A `boolean` key.
    public boolean getBoolean(String key) {
        return get(key, Boolean.class);
    }

    /// A `string` key.
    public String getString(String key) {
        return get(key, String.class);
    }

    /// A `list` key.
    public List<String> getList(String key) {
        List<?> items = get(key, List.class);
        return items.stream().map(Object::toString).toList();
    }

    /// Every topic-level setting with its typed value, by name.
    public Map<String, Object> values() {
        return values;
    }

    /// Everything that was set for the topic and could be read, as written.
    public Map<String, String> overrides() {
        return overrides;
    }

    /// Every topic-level setting with its value and where that comes from, by name.
    public List<ConfigEntry> describe() {
        return definition().configKeys().values().stream().map(this::describe)
                .sorted((one, other) -> one.name().compareTo(other.name())).toList();
    }

    private ConfigEntry describe(ConfigKey key) {
        var value = ConfigDef.convertToString(values.get(key.name), key.type);
        var synonyms = new ArrayList<Synonym>();
        if (overrides.containsKey(key.name)) {
            synonyms.add(new Synonym(key.name, value, Source.TOPIC));
        }
        synonyms(key.name).forEach(name -> server.describeSynonyms(name, synonyms));
        var source = synonyms.isEmpty() ? Source.DEFAULT : synonyms.getFirst().source();
        return new ConfigEntry(key.name, value, source, false, false, key.type, synonyms, key.documentation);
    }

    private <T> T get(String key, Class<T> type) {
        var value = values.get(key);
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw new IllegalArgumentException("no topic setting " + key + " of type " + type.getSimpleName());
    }
}
