package io.millrace.wire.api;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.base.check.Check;
import org.apache.kafka.common.protocol.ApiKeys;

/// The handlers of one kind of node. Immutable. Every API of the table has a handler: ApiVersions is answered from the
/// table, and what the node does not serve is refused with the code that makes a client look for the right node.
public final class ApiRegistry {
    private final VersionTable table;
    private final Map<ApiKeys, ApiHandler<?, ?>> handlers;
    private final Set<ApiKeys> served;

    private ApiRegistry(VersionTable table, Map<ApiKeys, ApiHandler<?, ?>> handlers, Set<ApiKeys> served) {
        this.table = table;
        this.handlers = handlers;
        this.served = served;
    }

    /// @param handlers of what this node serves, ApiVersions excepted
    /// @throws IllegalArgumentException where two handlers claim an API, or one an API that is not of the table
    public static ApiRegistry of(VersionTable table, List<? extends ApiHandler<?, ?>> handlers) {
        var byApi = new EnumMap<ApiKeys, ApiHandler<?, ?>>(ApiKeys.class);
        byApi.put(ApiKeys.API_VERSIONS, new ApiVersionsHandler(table));
        for (var handler : handlers) {
            Check.argument(table.apis().contains(handler.api()), "not offered: %s", handler.api());
            var other = byApi.putIfAbsent(handler.api(), handler);
            Check.argument(other == null, "two handlers of %s: %s and %s", handler.api(), handler, other);
        }
        var served = Collections.unmodifiableSet(EnumSet.copyOf(byApi.keySet()));
        for (var api : table.apis()) {
            byApi.computeIfAbsent(api, Misrouted::new);
        }
        return new ApiRegistry(table, Collections.unmodifiableMap(byApi), served);
    }

    public VersionTable table() {
        return table;
    }

    /// The APIs that this node has a handler of its own for.
    public Set<ApiKeys> served() {
        return served;
    }

    /// @throws IllegalArgumentException where `api` is not of the table
    public ApiHandler<?, ?> handler(ApiKeys api) {
        var handler = handlers.get(api);
        if (handler == null) {
            throw new IllegalArgumentException("not offered: " + api);
        }
        return handler;
    }
}
