package io.millrace.broker.partition;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Tells whoever waits for one partition that there is more to read, or that its role changed.
///
/// All methods from any thread. Telling runs in the caller's thread, so a listener only counts or hands on.
public final class Progress {
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet(2);
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
        listeners.add(listener);
    }

    /// Tells `listener` no longer; one call may still be under way.
    public void forget(Listener listener) {
        listeners.remove(listener);
    }

    /// Readers may see `bytes` more than before.
    void advanced(long bytes) {
        stamp.incrementAndGet();
        for (var listener : listeners) {
            listener.advanced(bytes);
        }
    }

    /// What was read before no longer holds.
    void changed() {
        stamp.incrementAndGet();
        for (var listener : listeners) {
            listener.changed();
        }
    }
}
