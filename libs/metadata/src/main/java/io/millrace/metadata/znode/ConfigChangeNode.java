package io.millrace.metadata.znode;

import java.util.Map;

import io.millrace.metadata.image.ConfigResource;

/// `/config/changes/config_change_N`: a hint that the configuration of a resource changed. Read at versions 1 and 2.
public record ConfigChangeNode(ConfigResource resource) {

    /// @throws MalformedZnode where it cannot be read or names no resource
    public static ConfigChangeNode parse(String json) {
        var fields = Fields.of("config change", json);
        var path = fields.has("entity_path")
                ? fields.textOf("entity_path")
                : fields.textOf("entity_type") + "/" + fields.textOf("entity_name");
        return new ConfigChangeNode(
                ConfigPaths.parse(path).orElseThrow(() -> new MalformedZnode("config change of " + path)));
    }

    /// As it is stored.
    public String json() {
        return Fields.write(
                Fields.object().put("version", 2).put("entity_path", ConfigPaths.entityPath(resource)), Map.of());
    }
}
