package io.millrace.admin.event;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import org.jspecify.annotations.Nullable;

/// The last events, for any number of readers, each at its own place. Thread-safe: the lock guards the queue, and is held for
/// as long as a copy of what is new takes.
public final class EventLog {
    private static final int KEPT = 10_000;
    private static final int MOST_AT_ONCE = 500;

    private final Clock clock;
    private final ArrayDeque<ClusterEvent> events = new ArrayDeque<>();
    private long next;

    public EventLog(Clock clock) {
        this.clock = clock;
        // Numbers of an earlier run of this service are never those of this one.
        next = clock.millis() * 1_000;
    }

    /// Takes in what differs. The first image of all is no event.
    public void changed(ClusterImage before, ClusterImage after, Changes changes) {
        if (before.version().equals(MetadataVersion.NONE)) {
            return;
        }
        add(Differences.between(before, after, changes), after.version().sequence());
    }

    /// Takes in what the metadata do not say.
    ///
    /// @param topic that it is about; null where it is about none
    /// @param offset of the metadata at that time
    public void happened(String type, @Nullable String topic, Map<String, Object> resource, Object after, long offset) {
        add(List.of(new ClusterEvent.Difference(type, topic, resource, null, after)), offset);
    }

    private synchronized void add(List<ClusterEvent.Difference> differences, long offset) {
        long now = clock.millis();
        for (var difference : differences) {
            if (events.size() == KEPT) {
                events.removeFirst();
            }
            events.addLast(new ClusterEvent(next++, difference.type(), difference.topic(), now, offset, difference
                    .resource(), difference.before(), difference.after()));
        }
        notifyAll();
    }

    /// The number that the next event will have.
    synchronized long end() {
        return next;
    }

    /// Whether what comes from `sequence` on is all still here.
    synchronized boolean has(long sequence) {
        return sequence <= next && (events.isEmpty() ? sequence == next : sequence >= events.getFirst().sequence());
    }

    /// What comes from `sequence` on, some of it; waits while there is nothing. What is gone already is passed over.
    synchronized List<ClusterEvent> from(long sequence, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos(); sequence >= next && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        var found = new ArrayList<ClusterEvent>();
        if (sequence >= next) {
            return found;
        }
        long passed = Math.max(0, sequence - events.getFirst().sequence());
        events.stream().skip(passed).limit(MOST_AT_ONCE).forEach(found::add);
        return found;
    }
}
