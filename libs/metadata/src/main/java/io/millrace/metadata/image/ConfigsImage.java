package io.millrace.metadata.image;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/// The dynamic configuration: what was set for a resource, not what follows from it.
///
/// @param byResource without resources that have nothing set
public record ConfigsImage(HashPMap<ConfigResource, Map<String, String>> byResource) {
    private static final int TAG_BYTES = 8;

    /// Nothing set anywhere.
    public static final ConfigsImage EMPTY = new ConfigsImage(HashTreePMap.empty());

    /// What was set for that resource; empty where nothing was.
    public Map<String, String> of(ConfigResource resource) {
        return byResource.getOrDefault(resource, Map.of());
    }

    /// Says which values were set for that resource: another text whenever any of them differs, in every process the same.
    public String tag(ConfigResource resource) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(new TreeMap<>(of(resource)).toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(), 0, TAG_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /// With `values` as all that is set for that resource; none takes it out.
    public ConfigsImage with(ConfigResource resource, Map<String, String> values) {
        return new ConfigsImage(
                values.isEmpty() ? byResource.minus(resource) : byResource.plus(resource, Map.copyOf(values)));
    }
}
