package io.millrace.admin.operation;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

import io.millrace.admin.upstream.LogDirs;
import org.apache.kafka.common.TopicPartition;

/// How far copies are, by what the brokers that get them hold, looked at again and again while any is under way. Thread-safe.
public final class CopyProgress {
    private static final double SECOND_MILLIS = 1_000;

    private final LogDirs directories;
    private final Clock clock;
    private volatile Map<Replica, Copied> copied = Map.of();

    /// @param broker that gets it
    record Replica(TopicPartition partition, int broker) {}

    /// @param bytes there
    /// @param grewAt milliseconds since 1970 when that last grew
    /// @param rate bytes a second between the last two looks
    record Copied(long bytes, long lookedAt, long grewAt, double rate) {}

    public CopyProgress(LogDirs directories, Clock clock) {
        this.directories = directories;
        this.clock = clock;
    }

    /// Looks at all copies that are under way.
    public void look(Iterable<Operation> operations) {
        var wanted = new HashMap<Replica, Boolean>();
        operations.forEach(operation -> operation.moves().stream().filter(move -> move.state().underWay()).forEach(
                move -> move.adding().forEach(broker -> wanted.put(new Replica(new TopicPartition(move.topic(), move
                        .partition()), broker), true))));
        if (wanted.isEmpty()) {
            copied = Map.of();
            return;
        }
        var held = directories.byBroker();
        long now = clock.millis();
        var next = new HashMap<Replica, Copied>();
        wanted.keySet().forEach(replica -> {
            var bytes = held.getOrDefault(replica.broker, Map.of()).get(replica.partition);
            var before = copied.get(replica);
            if (bytes == null) {
                next.put(replica, before == null ? new Copied(0, now, now, 0) : before);
            } else {
                next.put(replica, before == null ? new Copied(bytes, now, now, 0) : grown(before, bytes, now));
            }
        });
        copied = Map.copyOf(next);
    }

    private static Copied grown(Copied before, long bytes, long now) {
        long millis = Math.max(1, now - before.lookedAt);
        return new Copied(bytes, now, bytes > before.bytes ? now : before.grewAt, Math.max(0, bytes - before.bytes)
                * SECOND_MILLIS / millis);
    }

    /// What a broker has of a partition; nothing where nobody has looked yet.
    Copied of(String topic, int partition, int broker) {
        long now = clock.millis();
        return copied.getOrDefault(new Replica(new TopicPartition(topic, partition), broker), new Copied(0, now, now,
                0));
    }
}
