package io.millrace.wire.server;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.wire.server.ListenerConfig.TotalLimits;

/// How many connections there are, in all and by address. Safe for all threads.
final class ConnectionCounts {
    private final TotalLimits limits;
    private final AtomicInteger total = new AtomicInteger();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    ConnectionCounts(TotalLimits limits) {
        this.limits = limits;
    }

    /// Counts one more from `address`, unless there are as many as allowed.
    ///
    /// @return whether it was counted, to be taken back with [#remove]
    boolean add(InetAddress address) {
        if (total.incrementAndGet() > limits.maxConnections()) {
            total.decrementAndGet();
            return false;
        }
        if (byAddress.merge(address, 1, Integer::sum) > limits.maxConnectionsPerIp()) {
            remove(address);
            return false;
        }
        return true;
    }

    void remove(InetAddress address) {
        total.decrementAndGet();
        byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }

    int total() {
        return total.get();
    }
}
