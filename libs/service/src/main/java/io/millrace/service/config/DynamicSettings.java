package io.millrace.service.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The broker-level settings that can be changed while a node runs, as they hold for one node: what was set for it, else
/// what was set for all, else what it was started with. So far these are the throttles of replication and, for all nodes
/// together, whether elections may be unclean.
public final class DynamicSettings {
    private static final List<String> KEYS = List.of("follower.replication.throttled.rate",
            "leader.replication.throttled.rate", "replica.alter.log.dirs.io.max.bytes.per.second",
            "unclean.leader.election.enable");

    private final Map<String, String> ofNode;
    private final Map<String, String> ofAll;
    private final ServerSettings server;

    private DynamicSettings(Map<String, String> ofNode, Map<String, String> ofAll, ServerSettings server) {
        this.ofNode = valid(ofNode);
        this.ofAll = valid(ofAll);
        this.server = server;
    }

    /// What holds for a node. A value that an old tool wrote past all checks and that cannot be read is left out.
    ///
    /// @param server what that node was started with
    public static DynamicSettings of(int node, ClusterImage image, ServerSettings server) {
        return new DynamicSettings(image.configs().of(ConfigResource.broker(node)), image.configs().of(ConfigResource
                .allBrokers()), server);
    }

    /// Whether that key can be changed while a node runs.
    public static boolean isDynamic(String key) {
        return KEYS.contains(key);
    }

    /// What keeps `key` from being changed at all while a node runs; empty where nothing does.
    public static Optional<SettingProblem> unchangeable(String key) {
        if (isDynamic(key)) {
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
                parse(Objects.requireNonNull(ServerSettings.definition().configKeys().get(key)), value);
                return Optional.empty();
            } catch (ConfigException invalid) {
                return Optional.of(new SettingProblem(key, Errors.INVALID_CONFIG, String.valueOf(invalid
                        .getMessage())));
            }
        });
    }

    private static Object parse(ConfigKey key, @Nullable String text) {
        if (text == null) {
            throw new ConfigException(key.name, null, "Null value not supported for broker configs");
        }
        var value = ConfigDef.parseType(key.name, text, key.type);
        if (key.validator != null) {
            key.validator.ensureValid(key.name, value);
        }
        return value;
    }

    private static Map<String, String> valid(Map<String, String> given) {
        var valid = new HashMap<String, String>();
        given.forEach((key, value) -> {
            if (validate(key, value).isEmpty()) {
                valid.put(key, value);
            }
        });
        return Map.copyOf(valid);
    }

    /// A `long` key.
    ///
    /// @throws IllegalArgumentException where it is not one that can be changed
    public long getLong(String key) {
        if (!isDynamic(key)) {
            throw new IllegalArgumentException("the setting " + key + " does not change while a node runs");
        }
        var set = Optional.ofNullable(ofNode.get(key)).or(() -> Optional.ofNullable(ofAll.get(key)));
        return set.map(text -> Long.parseLong(text.strip())).orElseGet(() -> server.getLong(key));
    }

    /// Every setting of the node, those that cannot be changed included, with its value and where that comes from, by name.
    public List<ConfigEntry> describe() {
        return server.describe().stream().map(entry -> isDynamic(entry.name()) ? described(entry) : entry).toList();
    }

    /// What was set for all nodes while they ran, by name.
    public List<ConfigEntry> describeDefaults() {
        return server.describe().stream().filter(entry -> ofAll.containsKey(entry.name())).map(entry -> {
            var synonym = new Synonym(entry.name(), ofAll.get(entry.name()), Source.DYNAMIC_DEFAULT_BROKER);
            return with(entry, List.of(synonym));
        }).toList();
    }

    private ConfigEntry described(ConfigEntry entry) {
        var synonyms = new ArrayList<Synonym>();
        add(ofNode.get(entry.name()), entry, Source.DYNAMIC_BROKER, synonyms);
        add(ofAll.get(entry.name()), entry, Source.DYNAMIC_DEFAULT_BROKER, synonyms);
        synonyms.addAll(entry.synonyms());
        return with(entry, synonyms);
    }

    private static void add(@Nullable String value, ConfigEntry entry, Source source, List<Synonym> to) {
        if (value != null) {
            to.add(new Synonym(entry.name(), value, source));
        }
    }

    private static ConfigEntry with(ConfigEntry entry, List<Synonym> synonyms) {
        var first = Objects.requireNonNull(synonyms.getFirst());
        return new ConfigEntry(entry.name(), first.value(), first.source(), entry.sensitive(), false, entry.type(),
                synonyms, entry.documentation());
    }
}
