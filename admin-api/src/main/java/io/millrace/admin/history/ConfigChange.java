package io.millrace.admin.history;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import org.jspecify.annotations.Nullable;

/// What changed of one configuration, as it is kept. **pure**
///
/// @param id also the order in which changes were made
/// @param at milliseconds since 1970 when it was seen
/// @param offset of the metadata that brought it
/// @param before what the changed settings were; those that were not set are not in it
/// @param after what they are; those that were reset are not in it
/// @param all everything that is set after it
record ConfigChange(String id, long at, long offset, ConfigType type, String name, Map<String, String> before,
        Map<String, String> after, Map<String, String> all) {

    ConfigChange {
        before = new TreeMap<>(before);
        after = new TreeMap<>(after);
        all = new TreeMap<>(all);
    }

    /// From everything that was set to everything that is.
    static ConfigChange between(String id, long at, long offset, ConfigResource resource, Map<String, String> was,
            Map<String, String> is) {
        var before = new TreeMap<String, String>();
        var after = new TreeMap<String, String>();
        var keys = new TreeSet<>(was.keySet());
        keys.addAll(is.keySet());
        keys.stream().filter(key -> !Objects.equals(was.get(key), is.get(key))).forEach(key -> {
            put(before, key, was.get(key));
            put(after, key, is.get(key));
        });
        return new ConfigChange(id, at, offset, resource.type(), resource.name(), before, after, is);
    }

    private static void put(Map<String, String> to, String key, @Nullable String value) {
        if (value != null) {
            to.put(key, value);
        }
    }

    ConfigResource resource() {
        return new ConfigResource(type, name);
    }

    /// The settings that it changed.
    TreeSet<String> keys() {
        var keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        return keys;
    }
}
