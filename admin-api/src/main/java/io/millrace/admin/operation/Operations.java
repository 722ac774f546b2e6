package io.millrace.admin.operation;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationStore.Stored;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Moves;
import io.millrace.metadata.command.AlterReassignments.Target;
import org.jspecify.annotations.Nullable;

/// What people ask of operations.
public final class Operations {
    private static final int MOST_MOVES = 5_000;
    private static final int ATTEMPTS = 5;

    private final OperationStore store;
    private final Moves moves;
    private final Clock clock;
    private final Runnable wake;

    /// @param wake has what is new taken further at once
    public Operations(OperationStore store, Moves moves, Clock clock, Runnable wake) {
        this.store = store;
        this.moves = moves;
        this.clock = clock;
        this.wake = wake;
    }

    /// Checks all of those moves, and begins them.
    ///
    /// @param subject broker that it is about; null: none
    /// @throws Problem where the controller refuses one, or another operation has it
    public Operation begin(OperationType type, @Nullable Integer subject, String createdBy, Limits limits,
            List<Move> wanted, boolean replicationFactorMayChange) {
        if (wanted.size() > MOST_MOVES) {
            throw Problem.refusedByKafka("An operation has at most " + MOST_MOVES + " moves; these are " + wanted
                    .size() + ".");
        }
        checkFree(wanted);
        if (!wanted.isEmpty()) {
            moves.ask(wanted.stream().map(move -> new Target(move.topic(), move.partition(), move.to())).toList(),
                    replicationFactorMayChange, true);
        }
        var operation = Operation.begin(UUID.randomUUID().toString(), type, subject, createdBy, clock.millis(), limits,
                wanted);
        store.create(operation);
        wake.run();
        return operation;
    }

    /// Begins what is about something else than moves, and has been checked.
    public Operation begin(OperationType type, @Nullable Integer subject, String createdBy, Limits limits,
            Errand errand) {
        var operation = Operation.begin(UUID.randomUUID().toString(), type, subject, createdBy, clock.millis(), limits,
                errand);
        store.create(operation);
        wake.run();
        return operation;
    }

    /// Has all of them taken further now: something that one may wait for has happened.
    public void wake() {
        wake.run();
    }

    private void checkFree(List<Move> wanted) {
        var taken = new HashSet<String>();
        store.all().stream().map(Stored::operation).filter(operation -> !operation.state().over()).forEach(
                operation -> operation.moves().stream().filter(move -> !move.state().over()).forEach(move -> taken.add(
                        name(move))));
        wanted.stream().map(Operations::name).filter(taken::contains).findFirst().ifPresent(name -> {
            throw Problem.conflict("Another operation moves " + name + ".");
        });
    }

    private static String name(Move move) {
        return move.topic() + "-" + move.partition();
    }

    /// All that are known, the newest first.
    public List<Operation> all() {
        return store.all().reversed().stream().map(Stored::operation).toList();
    }

    /// @throws Problem where there is no such operation
    public Operation find(String id) {
        return stored(id).operation();
    }

    private Stored stored(String id) {
        return store.find(id).orElseThrow(() -> Problem.notFound("Operation " + Problem.shown(id)
                + " cannot be found."));
    }

    /// Changes one that is not over.
    ///
    /// @throws Problem where it is over, or there is none
    public Operation change(String id, UnaryOperator<Operation> how) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var stored = stored(id);
            if (stored.operation().state().over()) {
                throw Problem.conflict("Operation " + id + " is over: " + stored.operation().state() + ".");
            }
            var next = how.apply(stored.operation()).at(clock.millis());
            if (store.replace(stored, next)) {
                wake.run();
                return next;
            }
        }
        throw Problem.conflict("Operation " + id + " is changing too fast.");
    }
}
