package io.millrace.admin.plan;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.millrace.admin.document.Documents;
import io.millrace.admin.document.Documents.Document;
import io.millrace.admin.operation.Move;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.ClusterImage;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Plans that were made lately, until they are carried out or forgotten; whichever instance made them. Thread-safe.
@Slf4j
public final class Plans {
    private static final Duration VALID = Duration.ofHours(1);
    private static final int MOST = 100;
    private static final String FOLDER = "plans";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Documents documents;
    private final Clock clock;

    /// @param offset of the metadata that it was made of
    /// @param throttle bytes a second; null: none
    public record Plan(String id, String goal, long createdAt, long offset, List<Move> moves,
            @Nullable Long throttle) {
        public Plan {
            moves = List.copyOf(moves);
        }
    }

    private record Kept(Document document, Optional<Plan> plan) {
        /// One that cannot be read is as old as one can be.
        long createdAt() {
            return plan.map(Plan::createdAt).orElse(Long.MIN_VALUE);
        }
    }

    public Plans(Documents documents, Clock clock) {
        this.documents = documents;
        this.clock = clock;
    }

    /// Keeps a plan for an hour.
    ///
    /// @throws Problem where it is too large to be kept
    Plan add(String goal, ClusterImage image, List<Move> moves, @Nullable Long throttle) {
        var plan = new Plan(UUID.randomUUID().toString(), goal, clock.millis(), image.version().sequence(), moves,
                throttle);
        var text = JSON.writeValueAsString(plan);
        if (text.getBytes(StandardCharsets.UTF_8).length > Documents.LARGEST) {
            throw Problem.refusedByKafka("A plan of " + moves.size() + " moves is too large to be kept: max_moves or "
                    + "topics makes it smaller.");
        }
        dropOld(MOST - 1);
        documents.create(FOLDER, plan.id, text);
        return plan;
    }

    /// @throws Problem where there is no such plan any more
    public Plan find(String id) {
        return documents.find(FOLDER, id).flatMap(document -> read(document).plan()).filter(this::isValid).orElseThrow(
                () -> Problem.notFound("Plan " + Problem.shown(id) + " cannot be found; plans are kept for an hour."));
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
    void remove(String id) {
        documents.find(FOLDER, id).ifPresent(documents::delete);
    }

    /// Forgets those whose hour is over, and the oldest of too many.
    private void dropOld(int most) {
        var kept = documents.all(FOLDER).stream().map(Plans::read).sorted(Comparator.comparingLong(Kept::createdAt))
                .toList();
        for (int i = 0; i < kept.size(); i++) {
            var one = kept.get(i);
            if (i < kept.size() - most || one.plan().filter(this::isValid).isEmpty()) {
                documents.delete(one.document());
            }
        }
    }

    private boolean isValid(Plan plan) {
        return plan.createdAt >= clock.millis() - VALID.toMillis();
    }

    private static Kept read(Document document) {
        try {
            return new Kept(document, Optional.of(JSON.readValue(document.text(), Plan.class)));
        } catch (JacksonException unreadable) {
            log.warn("event=plan-unreadable id={} cause=\"{}\"", document.name(), unreadable.getOriginalMessage());
            return new Kept(document, Optional.empty());
        }
    }
}
