package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import org.jspecify.annotations.Nullable;

/// What groups wait for, each under a name of its own. Belongs to the shard's loop.
///
/// @param <T> names a timer within its group
final class GroupTimers<T> {
    private final Loop loop;
    private final Map<String, Map<T, Timeout>> running = new HashMap<>();

    GroupTimers(Loop loop) {
        this.loop = loop;
    }

    /// Starts a timer, in place of the same one that runs.
    void arm(String groupId, T timer, long delayMillis, Runnable task) {
        var before = running.computeIfAbsent(groupId, _ -> new HashMap<>()).put(timer,
                loop.schedule(Duration.ofMillis(delayMillis), () -> {
                    remove(groupId, timer);
                    task.run();
                }));
        if (before != null) {
            before.cancel();
        }
    }

    boolean isRunning(String groupId, T timer) {
        return running.getOrDefault(groupId, Map.of()).containsKey(timer);
    }

    /// Stops a timer, if it runs.
    void disarm(String groupId, T timer) {
        var before = remove(groupId, timer);
        if (before != null) {
            before.cancel();
        }
    }

    /// Stops all timers of the group.
    void disarm(String groupId) {
        var all = running.remove(groupId);
        if (all != null) {
            all.values().forEach(Timeout::cancel);
        }
    }

    void close() {
        running.values().forEach(all -> all.values().forEach(Timeout::cancel));
        running.clear();
    }

    private @Nullable Timeout remove(String groupId, T timer) {
        var all = running.get(groupId);
        if (all == null) {
            return null;
        }
        var removed = all.remove(timer);
        if (all.isEmpty()) {
            running.remove(groupId);
        }
        return removed;
    }
}
