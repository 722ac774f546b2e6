package io.millrace.controller.core;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.ClusterStore.WriteOutcome;
import io.millrace.metadata.command.NotActive;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.record.Delta;
import lombok.extern.slf4j.Slf4j;

/// The state of a term, and the only way to change it: a decision whose writes are in ZooKeeper. Confined to the
/// controller's loop; futures complete on it.
@Slf4j
final class StateKeeper {
    private static final int MAX_ATTEMPTS = 5;
    /// Conflicts after which a look at what was to be written is not enough.
    private static final int ATTEMPTS_AT_PARTS = 4;
    private static final Set<Hint> EVERYTHING = Set.of(new Hint.Everything());

    private final Office office;
    private final Realm realm;
    private final Loop loop;
    private final Ticker ticker;
    private final Runnable onDeposed;
    private ControllerState state;
    private boolean publishing;
    private boolean over;

    /// @param onDeposed called once a write showed that another controller took over
    StateKeeper(Office office, Realm realm, Loop loop, Ticker ticker, Runnable onDeposed) {
        this.office = office;
        this.realm = realm;
        this.loop = loop;
        this.ticker = ticker;
        this.onDeposed = onDeposed;
        state = ControllerState.atStart(office);
    }

    /// Writes met something in ZooKeeper that was not as it had just been read, again and again.
    static final class Contended extends RuntimeException {
        Contended(int attempts) {
            super("ZooKeeper was changed by others during each of " + attempts + " attempts", null, false, false);
        }
    }

    /// What follows a conflict.
    @FunctionalInterface
    private interface Again {
        /// @param touched what the decision was to write
        CompletableFuture<Decision> after(Set<Hint> touched, int attempt);
    }

    ControllerState state() {
        return state;
    }

    ClusterImage image() {
        return state.image();
    }

    /// Reads the whole cluster and puts right what is wrong in it.
    CompletableFuture<?> takeOver() {
        return takeOver(0);
    }

    private CompletableFuture<Decision> takeOver(int attempt) {
        return observe(EVERYTHING).thenComposeAsync(seen -> decide(_ -> realm.decider().takeOver(office, seen),
                (_, next) -> takeOver(next), attempt), loop);
    }

    /// From now on each version is published.
    void publish() {
        publishing = true;
        realm.publication().begin(state.image());
    }

    /// Nothing changes from now on; what is in hand fails with [NotActive].
    void end() {
        over = true;
    }

    /// Looks where hints point, and does what follows.
    CompletableFuture<?> look(Set<Hint> at) {
        return look(at.contains(new Hint.Everything()) ? EVERYTHING : at, 0);
    }

    private CompletableFuture<Decision> look(Set<Hint> at, int attempt) {
        return observe(at).thenComposeAsync(seen -> decide(now -> realm.decider().observed(now, seen), (touched,
                next) -> look(widened(at, touched, next), next), attempt), loop);
    }

    /// Where to look after a conflict: at what was to be written; where that was not enough, at everything.
    private static Set<Hint> widened(Set<Hint> at, Set<Hint> touched, int attempt) {
        if (at.equals(EVERYTHING) || attempt >= ATTEMPTS_AT_PARTS) {
            return EVERYTHING;
        }
        var both = new HashSet<>(at);
        both.addAll(touched);
        return both;
    }

    private CompletableFuture<Observation> observe(Set<Hint> at) {
        return over ? CompletableFuture.failedFuture(new NotActive(null)) : realm.store().observe(at);
    }

    /// Decides on the state, writes, and makes what was decided the state.
    CompletableFuture<Decision> decide(Function<ControllerState, Decision> decider) {
        return decide(decider, 0);
    }

    private CompletableFuture<Decision> decide(Function<ControllerState, Decision> decider, int attempt) {
        return decide(decider, (touched, next) -> look(widened(Set.of(), touched, next), next).thenComposeAsync(
                _ -> decide(decider, next), loop), attempt);
    }

    /// @param inConflict where ZooKeeper was not as the decision took it to be
    private CompletableFuture<Decision> decide(Function<ControllerState, Decision> decider,
            Again inConflict, int attempt) {
        if (over) {
            return CompletableFuture.failedFuture(new NotActive(null));
        }
        long decidedNanos = ticker.nanos();
        Decision decision;
        try {
            decision = decider.apply(state);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return write(decision).thenComposeAsync(outcome -> written(decision, outcome, inConflict,
                attempt, decidedNanos), loop);
    }

    private CompletableFuture<WriteOutcome> write(Decision decision) {
        return decision.writes().isEmpty()
                ? CompletableFuture.completedFuture(WriteOutcome.WRITTEN)
                : realm.store().write(decision.writes(), office);
    }

    private CompletableFuture<Decision> written(Decision decision, WriteOutcome outcome,
            Again inConflict, int attempt, long decidedNanos) {
        if (over) {
            return CompletableFuture.failedFuture(new NotActive(null));
        }
        return switch (outcome) {
            case WRITTEN -> {
                advance(decision, decidedNanos);
                yield CompletableFuture.completedFuture(decision);
            }
            case CONFLICT -> attempt + 1 < MAX_ATTEMPTS
                    ? inConflict.after(touched(decision), attempt + 1)
                    : CompletableFuture.failedFuture(new Contended(MAX_ATTEMPTS));
            case DEPOSED -> {
                onDeposed.run();
                yield CompletableFuture.failedFuture(new NotActive(null));
            }
        };
    }

    private static Set<Hint> touched(Decision decision) {
        return decision.writes().stream().flatMap(write -> write.touches().stream()).collect(Collectors.toSet());
    }

    private void advance(Decision decision, long decidedNanos) {
        decision.notes().forEach(note -> log.atLevel(note.level()).log(note.line()));
        if (decision.records().isEmpty()) {
            state = decision.next();
            return;
        }
        var before = state.image();
        var version = before.version().next();
        var after = decision.next().image().at(version);
        state = decision.next().with(after);
        var elections = ElectionCount.of(before, decision);
        if (elections.all() > 0) {
            realm.observer().elected(elections.unclean(), ticker.since(decidedNanos));
        }
        if (publishing) {
            realm.publication().publish(after, new Delta(before.version(), version, decision.records()));
        }
        realm.observer().image(after);
    }
}
