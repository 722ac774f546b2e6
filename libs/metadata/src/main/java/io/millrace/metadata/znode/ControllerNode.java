package io.millrace.metadata.znode;

import java.util.Map;

/// `/controller`: who is active. Version 1, which Kafka 2.6 writes, lacks the last key.
///
/// @param id of the controller, under the key `brokerid`
/// @param timestamp milliseconds since 1970, stored as a string
public record ControllerNode(int id, long timestamp) {

    /// @throws MalformedZnode where it cannot be read
    public static ControllerNode parse(String json) {
        var fields = Fields.of("controller", json);
        return new ControllerNode(fields.intOf("brokerid"), fields.has("timestamp") ? fields.longOf("timestamp") : -1);
    }

    /// As it is stored.
    public String json() {
        return Fields.write(Fields.object()
                .put("version", 2)
                .put("brokerid", id)
                .put("timestamp", Long.toString(timestamp))
                .put("kraftControllerEpoch", -1), Map.of());
    }
}
