package io.millrace.admin.plan;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.admin.operation.Move;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.ClusterImage;
import org.jspecify.annotations.Nullable;

/// Plans that were made lately, until they are carried out or forgotten. Thread-safe.
public final class Plans {
    private static final Duration VALID = Duration.ofHours(1);
    private static final int MOST = 100;

    private final Clock clock;
    private final Map<String, Plan> byId = new LinkedHashMap<>();

    /// @param offset of the metadata that it was made of
    /// @param throttle bytes a second; null: none
    public record Plan(String id, String goal, long createdAt, long offset, List<Move> moves,
            @Nullable Long throttle) {}

    public Plans(Clock clock) {
        this.clock = clock;
    }

    /// Keeps a plan for an hour.
    synchronized Plan add(String goal, ClusterImage image, List<Move> moves, @Nullable Long throttle) {
        var plan = new Plan(UUID.randomUUID().toString(), goal, clock.millis(), image.version().sequence(), moves,
                throttle);
        if (byId.size() == MOST) {
            byId.remove(byId.keySet().iterator().next());
        }
        byId.put(plan.id, plan);
        return plan;
    }

    /// @throws Problem where there is no such plan any more
    public synchronized Plan find(String id) {
        byId.values().removeIf(plan -> plan.createdAt < clock.millis() - VALID.toMillis());
        var plan = byId.get(id);
        if (plan == null) {
            throw Problem.notFound("Plan " + Problem.shown(id) + " cannot be found; plans are kept for an hour.");
        }
        return plan;
    }

    /// The moves of a plan that still begins where partitions are.
    ///
    /// @throws Problem where one of them has moved meanwhile
    public List<Move> current(String id, ClusterImage image) {
        var plan = find(id);
        for (var move : plan.moves) {
            boolean there = image.partition(move.topic(), move.partition()).filter(now -> !now.isMoving() && now
                    .replicas().equals(move.from())).isPresent();
            if (!there) {
                throw Problem.stale("Plan " + id + " is stale: " + move.topic() + "-" + move.partition()
                        + " is not where it was.");
            }
        }
        return plan.moves;
    }

    /// Forgets a plan that nobody wants.
    synchronized void remove(String id) {
        byId.remove(id);
    }
}
