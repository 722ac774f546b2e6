package io.millrace.broker.partition;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// Tells whoever waits for one partition that there is more to read, or that its role changed.
///
/// Who began to listen first is told first. All methods from any thread. Telling runs in the caller's thread, so a listener only counts or hands on.
public final class Progress {
    private final Map<Listener, Long> tickets = new ConcurrentHashMap<>(2);
    private final Map<Long, Listener> byTicket = new ConcurrentSkipListMap<>();
    private final AtomicLong lastTicket = new AtomicLong();
    private final AtomicLong stamp = new AtomicLong();

    /// Waits for a partition.
    public interface Listener {
        /// Readers may see `bytes` more than before.
        void advanced(long bytes);

        /// Role, start of the log or something else changed: what was read before no longer holds.
        void changed();
    }

    /// Goes up with everything that listeners are told, before they are. Whoever takes it, reads, begins to listen and
    /// then finds the same stamp has missed nothing.
    public long stamp() {
        return stamp.get();
    }

    /// Begins to tell `listener`.
    public void listen(Listener listener) {
        long ticket = lastTicket.incrementAndGet();
        if (tickets.putIfAbsent(listener, ticket) == null) {
            byTicket.put(ticket, listener);
        }
    }

    /// Tells `listener` no longer; one call may still be under way.
    public void forget(Listener listener) {
        var ticket = tickets.remove(listener);
        if (ticket != null) {
            byTicket.remove(ticket);
        }
    }

    /// Readers may see `bytes` more than before.
    void advanced(long bytes) {
        stamp.incrementAndGet();
        for (var listener : byTicket.values()) {
            listener.advanced(bytes);
        }
    }

    /// What was read before no longer holds.
    void changed() {
        stamp.incrementAndGet();
        for (var listener : byTicket.values()) {
            listener.changed();
        }
    }
}
