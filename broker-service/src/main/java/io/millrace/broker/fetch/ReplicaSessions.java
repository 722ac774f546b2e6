package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Ticker;
import org.jspecify.annotations.Nullable;

/// The sessions of followers: as many as there are fetchers that follow this broker, and so a few for each other broker.
///
/// A follower that begins anew closes its session by its id, or by the epoch of its next life; what nobody closed goes when
/// it was idle for long and another one begins, or when there are too many.
final class ReplicaSessions {
    private static final Duration IDLE = Duration.ofMinutes(2);

    private final int slots;
    private final Ticker ticker;
    private final RandomGenerator random;
    /// Guarded by this object's monitor.
    private final Map<Integer, ReplicaSession> sessions = new HashMap<>();

    /// @param slots `max.incremental.fetch.session.cache.slots`
    ReplicaSessions(int slots, Ticker ticker, RandomGenerator random) {
        this.slots = slots;
        this.ticker = ticker;
        this.random = random;
    }

    /// Null where there is none of that id, or it is another follower's.
    synchronized @Nullable ReplicaSession find(int id, ReplicaLook.Follower follower) {
        var found = sessions.get(id);
        return found != null && found.follower().equals(follower) ? found : null;
    }

    /// Keeps a session.
    ///
    /// @return its id; 0 where there is no room
    int open(ReplicaSession session) {
        List<ReplicaSession> closed;
        int id;
        synchronized (this) {
            closed = useless(session.follower());
            if (slots == 0) {
                id = FetchSession.NO_ID;
            } else {
                do {
                    id = random.nextInt(1, Integer.MAX_VALUE);
                } while (sessions.containsKey(id));
                sessions.put(id, session);
            }
        }
        closed.forEach(ReplicaSession::close);
        return id;
    }

    /// Ends a session; harmless where there is none.
    void close(int id) {
        ReplicaSession closed;
        synchronized (this) {
            closed = sessions.remove(id);
        }
        if (closed != null) {
            closed.close();
        }
    }

    synchronized int count() {
        return sessions.size();
    }

    /// How many partitions they hold together.
    synchronized long partitions() {
        return sessions.values().stream().mapToLong(ReplicaSession::size).sum();
    }

    private List<ReplicaSession> useless(ReplicaLook.Follower next) {
        long now = ticker.nanos();
        var useless = new ArrayList<ReplicaSession>();
        for (var session : sessions.values()) {
            var follower = session.follower();
            boolean formerLife = follower.replica() == next.replica() && follower.epoch() < next.epoch();
            if (formerLife || now - session.usedNanos() > IDLE.toNanos()) {
                useless.add(session);
            }
        }
        sessions.values().removeAll(useless);
        if (sessions.size() >= slots && !sessions.isEmpty()) {
            var longestIdle = sessions.values().stream().max(Comparator.comparingLong(session -> now - session
                    .usedNanos())).orElseThrow();
            sessions.values().remove(longestIdle);
            useless.add(longestIdle);
        }
        return useless;
    }
}
