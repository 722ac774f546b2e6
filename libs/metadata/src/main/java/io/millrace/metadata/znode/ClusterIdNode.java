package io.millrace.metadata.znode;

import java.util.Map;

/// `/cluster/id`: `{"version":"1","id":"…"}`, the version being a string here.
public record ClusterIdNode(String id) {

    /// @throws MalformedZnode where it cannot be read
    public static ClusterIdNode parse(String json) {
        return new ClusterIdNode(Fields.of("cluster id", json).textOf("id"));
    }

    /// As it is stored.
    public String json() {
        return Fields.write(Fields.object().put("version", "1").put("id", id), Map.of());
    }
}
