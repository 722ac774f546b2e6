package io.millrace.admin.drift;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/// Finds settings that are not what they should be. **pure**
final class Drift {
    /// What a node has for itself.
    private static final Set<String> OWN = Set.of("broker.id", "node.id", "listeners", "advertised.listeners",
            "control.plane.listener.name", "log.dir", "log.dirs", "metadata.log.dir", "broker.rack", "host.name",
            "port",
            "advertised.host.name", "advertised.port");

    private Drift() {}

    /// Why a setting is listed.
    enum Kind {
        /// Brokers differ.
        BETWEEN_BROKERS,
        /// A broker runs by another value than it was started with.
        STATIC_AND_DYNAMIC,
        /// It is not what was declared.
        BASELINE
    }

    /// A value where it was found.
    ///
    /// @param broker null where it is a topic's
    /// @param started what the broker was started with, where that differs; null else
    record Found(@Nullable Integer broker, @Nullable String value, String source, @Nullable String started) {}

    /// @param topic null where it is a setting of brokers
    /// @param expected what was declared, or what a broker was started with; null where brokers only differ
    record Row(Kind kind, @Nullable String topic, String name, @Nullable String expected, List<Found> values) {}

    /// Of brokers that differ from each other, from how they were started, and from what is declared.
    ///
    /// @param settings of each broker by name, as far as brokers answered
    static List<Row> ofBrokers(Map<Integer, Map<String, Found>> settings, Map<String, String> declared) {
        var names = new TreeSet<String>();
        settings.values().forEach(of -> names.addAll(of.keySet()));
        var rows = new ArrayList<Row>();
        for (var name : names) {
            var values = new TreeMap<>(settings).values().stream().filter(of -> of.containsKey(name)).map(of -> of.get(
                    name)).toList();
            boolean differ = values.stream().map(Found::value).distinct().count() > 1;
            if (differ && !OWN.contains(name)) {
                rows.add(new Row(Kind.BETWEEN_BROKERS, null, name, null, values));
            }
            values.stream().filter(found -> found.started() != null && !found.started().equals(found.value())).forEach(
                    found -> rows.add(new Row(Kind.STATIC_AND_DYNAMIC, null, name, found.started(), List.of(found))));
            var expected = declared.get(name);
            var others = values.stream().filter(found -> !Objects.equals(found.value(), expected)).toList();
            if (expected != null && !others.isEmpty()) {
                rows.add(new Row(Kind.BASELINE, null, name, expected, others));
            }
        }
        declared.forEach((name, expected) -> {
            if (!names.contains(name) && !settings.isEmpty()) {
                rows.add(new Row(Kind.BASELINE, null, name, expected, List.of()));
            }
        });
        return rows;
    }

    /// Of a topic, what differs from what is declared.
    ///
    /// @param settings by name; empty where there is no such topic
    static List<Row> ofTopic(String topic, Map<String, Found> settings, Map<String, String> declared) {
        var rows = new ArrayList<Row>();
        new TreeMap<>(declared).forEach((name, expected) -> {
            var found = settings.get(name);
            if (found == null || !Objects.equals(found.value(), expected)) {
                rows.add(new Row(Kind.BASELINE, topic, name, expected, found == null ? List.of() : List.of(found)));
            }
        });
        return rows;
    }
}
