package io.millrace.broker.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

import io.millrace.base.loop.Loop;
import org.jspecify.annotations.Nullable;

/// Requests of one producer that cannot be decided at once are decided one after the other, as they came: else a batch would
/// overtake one before it for which a coordinator is still being asked. Any thread may call.
public final class ProducerTurns {
    private final Map<Long, Deque<Turn>> queues = new HashMap<>();

    private record Turn(Loop loop, Runnable begin) {}

    /// Whether a request of that producer is undecided.
    public synchronized boolean isTaken(long producerId) {
        return queues.containsKey(producerId);
    }

    /// Runs `begin` once all requests before are decided: within this call where there are none, else on `loop`. To be followed
    /// by [#end], once, and in bounded time.
    public void take(long producerId, Loop loop, Runnable begin) {
        boolean first;
        synchronized (this) {
            var queue = queues.computeIfAbsent(producerId, _ -> new ArrayDeque<>());
            first = queue.isEmpty();
            queue.add(new Turn(loop, begin));
        }
        if (first) {
            begin.run();
        }
    }

    /// The request whose turn it is has been decided.
    public void end(long producerId) {
        for (var next = following(producerId); next != null; next = following(producerId)) {
            try {
                next.loop().execute(next.begin());
                return;
            } catch (RejectedExecutionException _) {
                // Its loop has ended, and with it whoever waits for that request.
            }
        }
    }

    private synchronized @Nullable Turn following(long producerId) {
        var queue = queues.get(producerId);
        if (queue == null) {
            return null;
        }
        queue.poll();
        if (queue.isEmpty()) {
            queues.remove(producerId);
        }
        return queue.peek();
    }
}
