package io.millrace.wire.client;

import io.millrace.base.check.Check;

/// Where another node listens.
///
/// @param host name or address; a name is looked up at each connect
public record NodeAddress(String host, int port) {
    public NodeAddress {
        Check.argument(!host.isEmpty() && port > 0 && port <= 65_535, "address %s:%d", host, port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
