package io.millrace.admin.operation;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.admin.operation.OperationStore.Stored;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Moves;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.command.ElectLeaders;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Takes operations further, a step at a time. All of what it does is asked for again until it shows in the metadata, and each
/// change of an operation is refused where somebody else was faster: so any number of runners may be at work, and each may end
/// at any point. One step at a time.
@Slf4j
public final class OperationRunner {
    private static final Duration KEPT = Duration.ofDays(7);
    private static final int MOST_KEPT = 200;

    private final Cluster cluster;
    private final Moves moves;
    private final OperationStore store;
    private final Errands errands;
    private final Clock clock;

    public OperationRunner(Cluster cluster, Moves moves, OperationStore store, Errands errands, Clock clock) {
        this.errands = errands;
        this.cluster = cluster;
        this.moves = moves;
        this.store = store;
        this.clock = clock;
    }

    /// Takes all of them as far as they can be taken now. What cannot be reached is tried again with the next step.
    public void step() {
        try {
            var all = store.all();
            forgetOld(all);
            var live = all.stream().filter(stored -> !stored.operation().state().over()).toList();
            if (!live.isEmpty()) {
                advance(live);
            }
        } catch (RuntimeException failure) {
            log.warn("event=operations-wait cause=\"{}\"", failure.toString());
        }
    }

    private void advance(List<Stored> live) {
        var image = cluster.image();
        if (image.clusterId().isEmpty()) {
            // This service has just begun and has heard of nothing yet; that is no word that something is gone.
            return;
        }
        var now = new ArrayList<Operation>();
        for (var stored : live) {
            var known = stored.operation();
            var next = known.next(image, errands.logs(known), isClean(known, live));
            if (next.equals(known)) {
                now.add(known);
            } else {
                var kept = next.at(clock.millis());
                if (store.replace(stored, kept)) {
                    tell(known, kept);
                    now.add(kept);
                }
            }
        }
        throttle(now);
        now.forEach(this::ask);
        now.forEach(this::run);
    }

    /// Whether all throttles on what a settled operation is about are those of others.
    private boolean isClean(Operation operation, List<Stored> live) {
        return operation.settled() && Throttles.changes(live.stream().map(Stored::operation).toList(), cluster.image())
                .isEmpty();
    }

    private static void tell(Operation before, Operation after) {
        if (before.state() != after.state()) {
            log.info("operation operation={} type={} from={} to={}", after.id(), after.type(), before.state(), after
                    .state());
        }
    }

    private void throttle(List<Operation> operations) {
        var changes = Throttles.changes(operations, cluster.image());
        if (changes.isEmpty()) {
            return;
        }
        cluster.command(new AlterConfigs(changes, false, false)).resources().stream().filter(outcome -> outcome
                .errorCode() != Errors.NONE.code()).forEach(outcome -> log.warn(
                        "event=throttle-refused resource={} cause=\"{}\"", outcome.resource(), outcome.message()));
    }

    private void ask(Operation operation) {
        var asked = new HashMap<Target, Move>();
        for (var move : operation.moves()) {
            if (move.state() == Move.State.BEGINNING) {
                asked.put(new Target(move.topic(), move.partition(), move.to()), move);
            } else if (move.state() == Move.State.RETURNING && !isToward(move.from(), move)) {
                asked.put(new Target(move.topic(), move.partition(), move.from()), move);
            }
        }
        if (!asked.isEmpty()) {
            refuse(operation, asked, moves.tryAll(List.copyOf(asked.keySet())));
        }
        elect(operation);
    }

    private void run(Operation operation) {
        var after = errands.run(operation);
        if (!after.equals(operation)) {
            store.find(operation.id()).filter(stored -> stored.operation().equals(operation)).ifPresent(
                    stored -> store.replace(stored, after.at(clock.millis())));
        }
    }

    private boolean isToward(List<Integer> replicas, Move move) {
        return cluster.image().partition(move.topic(), move.partition()).filter(now -> now.isMoving() && now.replicas()
                .stream().filter(id -> !now.removing().contains(id)).toList().equals(replicas)).isPresent();
    }

    private void refuse(Operation operation, Map<Target, Move> asked, Map<Target, String> refused) {
        if (refused.isEmpty()) {
            return;
        }
        store.find(operation.id()).ifPresent(stored -> {
            var next = stored.operation();
            for (var entry : refused.entrySet()) {
                var move = asked.get(entry.getKey());
                if (move != null) {
                    log.warn("move refused operation={} partition={}-{} cause=\"{}\"", operation.id(), move.topic(),
                            move.partition(), entry.getValue());
                    next = next.refused(move, entry.getValue());
                }
            }
            store.replace(stored, next.at(clock.millis()));
        });
    }

    /// Who is to lead leads once it is there. Where it is about leaders there is nothing else to wait for.
    private void elect(Operation operation) {
        var image = cluster.image();
        var due = operation.moves().stream()
                .filter(move -> move.state() == Move.State.DONE || move.state() == Move.State.CANCELLED)
                .filter(move -> !move.from().getFirst().equals(move.to().getFirst()))
                .filter(move -> image.partition(move.topic(), move.partition()).filter(now -> !now.isMoving() && now
                        .leader() != now.replicas().getFirst() && now.isr().contains(now.replicas().getFirst()))
                        .isPresent())
                .map(move -> new ElectLeaders.TopicPartition(move.topic(), move.partition()))
                .toList();
        if (!due.isEmpty()) {
            cluster.command(new ElectLeaders(ElectLeaders.Type.PREFERRED, due, cluster.timeout().toMillis()));
        }
    }

    private void forgetOld(List<Stored> all) {
        var over = all.stream().filter(stored -> stored.operation().state().over()).toList();
        long oldest = clock.millis() - KEPT.toMillis();
        for (int i = 0; i < over.size(); i++) {
            if (over.get(i).operation().updatedAt() < oldest || i < over.size() - MOST_KEPT) {
                store.delete(over.get(i));
            }
        }
    }
}
