package io.millrace.wire.server;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.wire.server.ListenerConfig.TotalLimits;

/// How many connections there are, in all and by address. Safe for all threads.
final class ConnectionCounts {
    private volatile TotalLimits limits;
    private final AtomicInteger total = new AtomicInteger();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    ConnectionCounts(TotalLimits limits) {
        this.limits = limits;
    }

    /// Goes by other limits from now on; connections that there are stay.
    void limit(TotalLimits next) {
        limits = next;
    }

    /// Counts one more from `address`, unless there are as many as allowed.
    ///
    /// @return whether it was counted, to be taken back with [#remove]
    boolean add(InetAddress address) {
        var now = limits;
        if (total.incrementAndGet() > now.maxConnections()) {
            total.decrementAndGet();
            return false;
        }
        if (byAddress.merge(address, 1, Integer::sum) > now.maxConnectionsPerIp()) {
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
