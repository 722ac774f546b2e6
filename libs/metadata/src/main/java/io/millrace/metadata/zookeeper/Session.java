package io.millrace.metadata.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import lombok.extern.slf4j.Slf4j;
import org.apache.curator.framework.state.ConnectionState;

/// The state of the session and who wants to know. It also remembers the sessions that were ours.
@Slf4j
final class Session {
    /// More losses than this in the lifetime of one left-behind node do not happen.
    private static final int REMEMBERED = 16;

    private final ZooKeeperMetrics metrics;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Deque<Long> ours = new ArrayDeque<>();
    private volatile SessionState state = SessionState.SUSPENDED;

    private record Listener(Loop loop, Consumer<SessionState> consumer) {}

    Session(ZooKeeperMetrics metrics) {
        this.metrics = metrics;
    }

    SessionState state() {
        return state;
    }

    /// On Curator's thread.
    synchronized void changed(ConnectionState now, long sessionId) {
        var next = switch (now) {
            case CONNECTED, RECONNECTED -> SessionState.CONNECTED;
            case SUSPENDED, READ_ONLY -> SessionState.SUSPENDED;
            case LOST -> SessionState.LOST;
        };
        if (next == SessionState.CONNECTED) {
            remember(sessionId);
        }
        log.info("ZooKeeper session from={} to={} session=0x{}", state, next, Long.toHexString(sessionId));
        state = next;
        metrics.changed(next);
        listeners.forEach(listener -> tell(listener, next));
    }

    /// Synchronized with [#changed], so that no change falls between the present state and the first one told.
    synchronized Watch listen(Loop loop, Consumer<SessionState> consumer) {
        var listener = new Listener(loop, consumer);
        listeners.add(listener);
        tell(listener, state);
        return () -> listeners.remove(listener);
    }

    synchronized void remember(long sessionId) {
        if (sessionId != 0 && !ours.contains(sessionId)) {
            ours.addLast(sessionId);
            if (ours.size() > REMEMBERED) {
                ours.removeFirst();
            }
        }
    }

    /// Whether a node of that session was made by this object.
    synchronized boolean wasOurs(long sessionId) {
        return ours.contains(sessionId);
    }

    private static void tell(Listener listener, SessionState state) {
        try {
            listener.loop.execute(() -> listener.consumer.accept(state));
        } catch (RejectedExecutionException _) {
            log.debug("ZooKeeper session to={} not told: the listener's loop is closed", state);
        }
    }
}
