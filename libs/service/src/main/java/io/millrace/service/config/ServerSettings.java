package io.millrace.service.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import io.millrace.base.check.Check;
import io.millrace.metadata.image.Endpoint;
import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import io.millrace.service.lifecycle.StartRefused;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/// The broker-level settings of this process under Kafka's names, checked as a whole before anything starts.
public final class ServerSettings {
    private static final long MINUTE_MILLIS = 60_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final Map<String, String> given;
    /// What was set while the node ran: for all nodes, and for this one.
    private final Map<String, String> ofAll;
    private final Map<String, String> ofNode;
    private final Map<String, @Nullable Object> values;
    private final List<Endpoint> listeners;
    private final List<Endpoint> advertised;

    private ServerSettings(Map<String, String> given, Map<String, String> ofAll, Map<String, String> ofNode,
            Map<String, @Nullable Object> values) {
        this.given = Map.copyOf(given);
        this.ofAll = Map.copyOf(ofAll);
        this.ofNode = Map.copyOf(ofNode);
        this.values = Collections.unmodifiableMap(values);
        var protocolMap = getString("listener.security.protocol.map");
        listeners = Listeners.parse("listeners", getList("listeners"), protocolMap);
        advertised = isSet("advertised.listeners")
                ? Listeners.parse("advertised.listeners", getList("advertised.listeners"), protocolMap)
                : listeners;
    }

    /// Every `kafka.*` property, and every environment variable `KAFKA_*` that means a known key. Where
    /// `millrace.node.first-id` is set and no id is, the id is that number plus the one at the end of the host's name.
    ///
    /// @throws StartRefused where a property is unknown or a value is not allowed, with all their names
    public static ServerSettings from(ConfigurableEnvironment environment) {
        var given = EnvironmentKeys.read(environment);
        var first = environment.getProperty("millrace.node.first-id", Integer.class);
        if (first != null && !given.containsKey("broker.id") && !given.containsKey("node.id")) {
            given.put("broker.id", String.valueOf(first + HostOrdinal.of(HostOrdinal.host(environment))));
        }
        return of(given);
    }

    /// Settings by their names, without the prefix `kafka.`.
    ///
    /// @throws StartRefused as above
    public static ServerSettings of(Map<String, String> given) {
        var problems = new ArrayList<String>();
        var values = new HashMap<String, @Nullable Object>();
        for (var key : ServerCatalogue.definition().configKeys().values()) {
            try {
                values.put(key.name, parse(key, given));
            } catch (ConfigException invalid) {
                problems.add("kafka." + key.name + ": " + invalid.getMessage());
            }
        }
        new TreeMap<>(given).keySet().stream()
                .filter(name -> !ServerCatalogue.isKnown(name))
                .forEach(name -> problems.add("kafka." + name + ": unknown setting"));
        // Who asks for protection must not run without it.
        if (!given.getOrDefault("authorizer.class.name", "").isBlank()) {
            problems.add("kafka.authorizer.class.name: there are no ACLs so far; everybody may do everything");
        }
        if (!problems.isEmpty()) {
            throw new StartRefused(String.join("; ", problems));
        }
        return new ServerSettings(given, Map.of(), Map.of(), values);
    }

    /// These settings with what was set while the node ran, in place of what was so far. What cannot change while it runs,
    /// or cannot be read, is left out.
    ///
    /// @param forAll what was set for all nodes
    /// @param forNode what was set for this one, which wins
    ServerSettings changed(Map<String, String> forAll, Map<String, String> forNode) {
        var all = valid(forAll);
        var node = valid(forNode);
        var next = new HashMap<String, @Nullable Object>(values);
        for (var name : DynamicKeys.all()) {
            var key = Objects.requireNonNull(definition().configKeys().get(name));
            var text = node.getOrDefault(name, all.get(name));
            next.put(name, text == null ? parse(key, given) : parse(key, text));
        }
        return new ServerSettings(given, all, node, next);
    }

    private static Map<String, String> valid(Map<String, String> set) {
        var valid = new HashMap<String, String>();
        set.forEach((key, value) -> {
            if (DynamicKeys.validate(key, value).isEmpty()) {
                valid.put(key, value);
            }
        });
        return valid;
    }

    private static @Nullable Object parse(ConfigKey key, Map<String, String> given) {
        var text = given.get(key.name);
        return text == null ? checked(key, defaultOf(key)) : parse(key, text);
    }

    /// @throws ConfigException where that is no value of the key
    static @Nullable Object parse(ConfigKey key, String text) {
        return checked(key, ConfigDef.parseType(key.name, text, key.type));
    }

    private static @Nullable Object checked(ConfigKey key, @Nullable Object value) {
        if (key.validator != null && value != null) {
            key.validator.ensureValid(key.name, value);
        }
        return value;
    }

    private static @Nullable Object defaultOf(ConfigKey key) {
        return key.hasDefault() ? key.defaultValue : null;
    }

    /// The catalogue of all keys: type, default, limits and meaning of each.
    public static ConfigDef definition() {
        return ServerCatalogue.definition();
    }

    /// Whether it was set here, rather than left to its default.
    public boolean isSet(String name) {
        return given.containsKey(name);
    }

    /// Everything that was set, as written.
    public Map<String, String> given() {
        return given;
    }

    /// Every known key with its value, set or default; null where it has neither.
    public Map<String, @Nullable Object> all() {
        return values;
    }

    /// The value, set or default; empty where it has neither.
    ///
    /// @throws IllegalArgumentException where there is no such key; also thrown by all that follow
    public Optional<Object> find(String name) {
        Check.argument(values.containsKey(name), "no setting of the name %s", name);
        return Optional.ofNullable(values.get(name));
    }

    /// A text that may be missing.
    public Optional<String> findString(String name) {
        return find(name).map(Object::toString);
    }

    /// @throws IllegalArgumentException also where it has no value, or one of another type; so for all that follow
    public String getString(String name) {
        return get(name, String.class);
    }

    /// An `int` or `short` key.
    public int getInt(String name) {
        return get(name, Number.class).intValue();
    }

    /// A `long`, `int` or `short` key.
    public long getLong(String name) {
        return get(name, Number.class).longValue();
    }

    /// A `double` key.
    public double getDouble(String name) {
        return get(name, Number.class).doubleValue();
    }

    /// A `boolean` key.
    public boolean getBoolean(String name) {
        return get(name, Boolean.class);
    }

    /// A `list` key; empty where it has no value.
    public List<String> getList(String name) {
        return find(name).map(value -> ((List<?>) value).stream().map(Object::toString).toList()).orElse(List.of());
    }

    /// `listeners`: what to bind; an empty host means every address.
    public List<Endpoint> listeners() {
        return listeners;
    }

    /// `advertised.listeners`, or the listeners where they are not set: what clients and other nodes are told.
    public List<Endpoint> advertisedListeners() {
        return advertised;
    }

    /// `broker.id`, or `node.id` as newer releases call it; -1 where neither is set.
    ///
    /// @throws StartRefused where they differ
    public int nodeId() {
        int brokerId = getInt("broker.id");
        int nodeId = getInt("node.id");
        if (brokerId >= 0 && nodeId >= 0 && brokerId != nodeId) {
            throw new StartRefused("kafka.node.id: " + nodeId + " is not kafka.broker.id, which is " + brokerId);
        }
        return Math.max(brokerId, nodeId);
    }

    /// Name of the listener that nodes use among themselves: `inter.broker.listener.name`, else the first.
    public String interBrokerListener() {
        return findString("inter.broker.listener.name").orElseGet(() -> listeners.getFirst().listener());
    }

    /// `log.dirs`, else `log.dir`.
    public List<String> logDirs() {
        var dirs = getList("log.dirs");
        return dirs.isEmpty() ? List.of(getString("log.dir")) : dirs;
    }

    /// `log.retention.ms`, else minutes, else hours; -1 for ever.
    public long logRetentionMillis() {
        return find("log.retention.ms").map(ServerSettings::millis)
                .or(() -> find("log.retention.minutes").map(minutes -> scaled(minutes, MINUTE_MILLIS)))
                .orElseGet(() -> scaled(getLong("log.retention.hours"), HOUR_MILLIS));
    }

    /// `log.roll.ms`, else hours.
    public long logRollMillis() {
        return find("log.roll.ms").map(ServerSettings::millis)
                .orElseGet(() -> scaled(getLong("log.roll.hours"), HOUR_MILLIS));
    }

    /// `log.roll.jitter.ms`, else hours.
    public long logRollJitterMillis() {
        return find("log.roll.jitter.ms").map(ServerSettings::millis)
                .orElseGet(() -> scaled(getLong("log.roll.jitter.hours"), HOUR_MILLIS));
    }

    /// `log.flush.interval.ms`, else `log.flush.scheduler.interval.ms`.
    public long logFlushIntervalMillis() {
        return find("log.flush.interval.ms").map(ServerSettings::millis)
                .orElseGet(() -> getLong("log.flush.scheduler.interval.ms"));
    }

    /// Every setting of this node with its value and where that comes from, by name.
    public List<ConfigEntry> describe() {
        return definition().configKeys().values().stream().map(this::describe)
                .sorted((one, other) -> one.name().compareTo(other.name())).toList();
    }

    /// What was set for all nodes while they ran, by name.
    public List<ConfigEntry> describeDefaults() {
        return describe().stream().filter(entry -> ofAll.containsKey(entry.name())).map(entry -> {
            var synonym = new Synonym(entry.name(), ofAll.get(entry.name()), Source.DYNAMIC_DEFAULT_BROKER);
            return new ConfigEntry(entry.name(), synonym.value(), synonym.source(), entry.sensitive(), false, entry
                    .type(), List.of(synonym), entry.documentation());
        }).toList();
    }

    private ConfigEntry describe(ConfigKey key) {
        boolean sensitive = key.type == ConfigDef.Type.PASSWORD;
        var synonyms = new ArrayList<Synonym>();
        describeSynonyms(key.name, synonyms);
        return new ConfigEntry(key.name, sensitive ? null : ConfigDef.convertToString(values.get(key.name), key.type),
                synonyms.isEmpty() ? Source.DEFAULT : synonyms.getFirst().source(), sensitive, !DynamicKeys.contains(
                        key.name), key.type, synonyms, key.documentation);
    }

    /// Adds what was set for `name`, the value that wins first, and then its default where it has one.
    void describeSynonyms(String name, List<Synonym> to) {
        var key = Objects.requireNonNull(definition().configKeys().get(name));
        boolean sensitive = key.type == ConfigDef.Type.PASSWORD;
        addChanged(name, ofNode, Source.DYNAMIC_BROKER, to);
        addChanged(name, ofAll, Source.DYNAMIC_DEFAULT_BROKER, to);
        if (isSet(name)) {
            var started = parse(key, given);
            to.add(new Synonym(name, sensitive ? null : ConfigDef.convertToString(started, key.type),
                    Source.STATIC_BROKER));
        }
        var byDefault = defaultOf(key);
        if (byDefault != null) {
            to.add(new Synonym(name, sensitive ? null : ConfigDef.convertToString(byDefault, key.type),
                    Source.DEFAULT));
        }
    }

    private static void addChanged(String name, Map<String, String> set, Source source, List<Synonym> to) {
        var value = set.get(name);
        if (value != null) {
            to.add(new Synonym(name, value, source));
        }
    }

    private static long millis(Object value) {
        return ((Number) value).longValue();
    }

    private static long scaled(Object value, long unitMillis) {
        long count = millis(value);
        return count < 0 ? -1 : Math.multiplyExact(count, unitMillis);
    }

    private <T> T get(String name, Class<T> type) {
        var value = find(name).orElseThrow(() -> new IllegalArgumentException("the setting " + name + " has no value"));
        Check.argument(type.isInstance(value), "the setting %s is a %s", name, value.getClass().getSimpleName());
        return type.cast(value);
    }
}
