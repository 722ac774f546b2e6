package io.millrace.metadata.image;

import java.util.Map;

import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/// The dynamic configuration: what was set for a resource, not what follows from it.
///
/// @param byResource without resources that have nothing set
public record ConfigsImage(HashPMap<ConfigResource, Map<String, String>> byResource) {
    /// Nothing set anywhere.
    public static final ConfigsImage EMPTY = new ConfigsImage(HashTreePMap.empty());

    /// What was set for that resource; empty where nothing was.
    public Map<String, String> of(ConfigResource resource) {
        return byResource.getOrDefault(resource, Map.of());
    }

    /// With `values` as all that is set for that resource; none takes it out.
    public ConfigsImage with(ConfigResource resource, Map<String, String> values) {
        return new ConfigsImage(
                values.isEmpty() ? byResource.minus(resource) : byResource.plus(resource, Map.copyOf(values)));
    }
}
