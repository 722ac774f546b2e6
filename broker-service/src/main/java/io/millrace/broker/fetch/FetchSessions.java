package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Ticker;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The fetch sessions of consumers: a bounded number, and the rule who makes room when they are all taken (KIP-227).
///
/// A new session takes the place of the one longest unused, where that is idle for two minutes; else of the smallest
/// that has lived two minutes and holds fewer partitions than the new one. Where nobody must go, the client gets no
/// session and asks in full. Replicas have [ReplicaSessions].
final class FetchSessions {
    private static final Duration PROTECTED = Duration.ofMinutes(2);
    private static final short FIRST_VERSION_WITH_IDS = 13;
    private static final short FIRST_VERSION_WITH_REPLICA_STATE = 15;

    private final int slots;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final Runnable onEviction;
    /// Least recently used first. Guarded by this object's monitor, held for single map operations and, only when all
    /// slots are taken, for one walk over them.
    private final Map<Integer, Slot> sessions = new LinkedHashMap<>(16, 0.75f, true);

    private record Slot(FetchSession session, long usedNanos) {}

    /// @param slots `max.incremental.fetch.session.cache.slots`
    /// @param onEviction called for each session that made room for another
    FetchSessions(int slots, Ticker ticker, RandomGenerator random, Runnable onEviction) {
        this.slots = slots;
        this.ticker = ticker;
        this.random = random;
        this.onEviction = onEviction;
    }

    /// Reads what a request says of its session, and moves the session on where it is right.
    ///
    /// @param names the name of a topic id, null where it is unknown
    FetchPlan plan(FetchRequestData request, short version, Function<Uuid, @Nullable String> names) {
        int sessionId = request.sessionId();
        int epoch = request.sessionEpoch();
        if (epoch == FetchSession.INITIAL_EPOCH || epoch == FetchSession.FINAL_EPOCH) {
            if (sessionId != FetchSession.NO_ID) {
                remove(sessionId);
            }
            return new FetchPlan.Full(itemsOf(request, names), epoch == FetchSession.INITIAL_EPOCH);
        }
        var session = touch(sessionId);
        if (session == null) {
            return new FetchPlan.Refuse(Errors.FETCH_SESSION_ID_NOT_FOUND);
        }
        if (session.byTopicId() != version >= FIRST_VERSION_WITH_IDS) {
            return new FetchPlan.Refuse(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        var items = session.advance(epoch, request, names);
        if (items == null) {
            return new FetchPlan.Refuse(Errors.INVALID_FETCH_SESSION_EPOCH);
        }
        if (items.isEmpty()) {
            remove(sessionId);
            return new FetchPlan.Full(items, false);
        }
        return new FetchPlan.Incremental(session, session.epoch(), items);
    }

    /// Keeps a session for a full fetch that was just answered.
    ///
    /// @param answers one for each of `items`, in their order
    /// @return its id; 0 where there was no room
    int open(short version, List<FetchItem> items, List<PartitionData> answers) {
        if (items.isEmpty()) {
            return FetchSession.NO_ID;
        }
        long now = ticker.nanos();
        boolean evicted = false;
        int id;
        synchronized (this) {
            if (sessions.size() >= slots) {
                var victim = victim(items.size(), now);
                if (victim == null) {
                    return FetchSession.NO_ID;
                }
                sessions.remove(victim);
                evicted = true;
            }
            do {
                id = random.nextInt(1, Integer.MAX_VALUE);
            } while (sessions.containsKey(id));
            var session = new FetchSession(id, version >= FIRST_VERSION_WITH_IDS, now, items, answers);
            sessions.put(id, new Slot(session, now));
        }
        if (evicted) {
            onEviction.run();
        }
        return id;
    }

    /// How many there are now.
    synchronized int count() {
        return sessions.size();
    }

    /// How many partitions they hold together.
    synchronized long partitions() {
        return sessions.values().stream().mapToLong(slot -> slot.session().size()).sum();
    }

    /// The id of the replica that fetches; -1 for a consumer.
    static int replicaId(FetchRequestData request, short version) {
        return version >= FIRST_VERSION_WITH_REPLICA_STATE ? request.replicaState().replicaId() : request.replicaId();
    }

    private synchronized void remove(int id) {
        sessions.remove(id);
    }

    private synchronized @Nullable FetchSession touch(int id) {
        var slot = sessions.get(id);
        if (slot == null) {
            return null;
        }
        sessions.put(id, new Slot(slot.session(), ticker.nanos()));
        return slot.session();
    }

    /// Called with the monitor held and all slots taken; one eldest entry decides the first rule.
    private @Nullable Integer victim(int size, long now) {
        Iterator<Slot> eldestFirst = sessions.values().iterator();
        if (!eldestFirst.hasNext()) {
            return null;
        }
        var eldest = eldestFirst.next();
        if (isLong(now - eldest.usedNanos())) {
            return eldest.session().id();
        }
        FetchSession smallest = null;
        for (var slot : sessions.values()) {
            var candidate = slot.session();
            if (candidate.size() < size && isLong(now - candidate.createdNanos())
                    && (smallest == null || candidate.size() < smallest.size())) {
                smallest = candidate;
            }
        }
        return smallest == null ? null : smallest.id();
    }

    private static boolean isLong(long nanos) {
        return nanos > PROTECTED.toNanos();
    }

    private static List<FetchItem> itemsOf(FetchRequestData request, Function<Uuid, @Nullable String> names) {
        var items = new ArrayList<FetchItem>();
        for (var topic : request.topics()) {
            for (var partition : topic.partitions()) {
                var key = new FetchKey(topic.topic(), topic.topicId(), partition.partition());
                items.add(FetchItem.of(key, FetchSession.nameOf(key, names), partition));
            }
        }
        return items;
    }
}
