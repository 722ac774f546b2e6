package io.millrace.wire.client;

import java.util.EnumMap;
import java.util.Map;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// The highest version of each API that both this process and a node know.
final class NodeVersions {
    private final Map<ApiKeys, Short> highest;

    private NodeVersions(Map<ApiKeys, Short> highest) {
        this.highest = highest;
    }

    /// From what the node told; APIs unknown here are left out.
    static NodeVersions of(ApiVersionsResponseData told) {
        var highest = new EnumMap<ApiKeys, Short>(ApiKeys.class);
        for (var range : told.apiKeys()) {
            if (ApiKeys.hasId(range.apiKey()) && ApiKeys.forId(range.apiKey()).hasValidVersion()) {
                var api = ApiKeys.forId(range.apiKey());
                short both = (short) Math.min(range.maxVersion(), api.latestVersion(false));
                if (both >= range.minVersion() && both >= api.oldestVersion()) {
                    highest.put(api, both);
                }
            }
        }
        return new NodeVersions(highest);
    }

    /// @throws Refused where there is no version in common
    short highest(ApiKeys api, NodeAddress node) {
        var version = highest.get(api);
        if (version == null) {
            throw new Refused(Errors.UNSUPPORTED_VERSION, node + " does not speak " + api.name);
        }
        return version;
    }
}
