package io.millrace.metadata.znode;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// `/config/<entity>`: what was set for a resource; all values are strings.
///
/// @param values by Kafka's name, in its order
public record ConfigNode(Map<String, String> values) {
    public ConfigNode {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /// Nothing set where the node is without data, as tools leave it.
    ///
    /// @throws MalformedZnode where it cannot be read
    public static ConfigNode parse(String json) {
        return new ConfigNode(json.isBlank() ? Map.of() : Fields.of("config", json).textMapOf("config"));
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object().put("version", 1);
        var config = object.putObject("config");
        values.forEach(config::put);
        return Fields.write(object, Map.of());
    }
}
