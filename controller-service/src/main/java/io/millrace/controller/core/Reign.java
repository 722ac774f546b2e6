package io.millrace.controller.core;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.Role;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// One term of the active controller. All of it runs on one loop: work is taken from the queue in its order, decided,
/// written, published, and only then comes the next.
///
///     OPENING ──whole cluster read──► RULING ──deposed, session lost, closed──► OVER
///
/// Hints are gathered while other work is in hand and looked up together, so that at most one look is in the queue; of a
/// node there are never more events than streams it opens; commands are bounded.
@Slf4j
final class Reign {
    private static final int MAX_QUEUED_COMMANDS = 10_000;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final Office office;
    private final Realm realm;
    private final Loop loop;
    private final Ticker ticker;
    private final StateKeeper keeper;
    private final Graces graces;
    private final WorkQueue queue;
    private final Optional<Balancing> balancing;
    private final ShardBalancing shardBalancing;
    private Set<Hint> hints = new HashSet<>();
    private int queuedCommands;
    private volatile Phase phase = Phase.OPENING;

    private enum Phase {
        OPENING, RULING, OVER
    }

    /// @param onDeposed called once a write showed that another controller took over
    Reign(Office office, Realm realm, Loop loop, Ticker ticker, Runnable onDeposed) {
        this.office = office;
        this.realm = realm;
        this.loop = loop;
        this.ticker = ticker;
        keeper = new StateKeeper(office, realm, loop, ticker, onDeposed);
        queue = new WorkQueue(loop, ticker, realm.observer(), () -> keeper.look(Set.of(new Hint.Everything())));
        shardBalancing = new ShardBalancing(loop, realm.decider(), keeper, queue);
        balancing = realm.balance().map(plan -> new Balancing(plan, loop, realm.decider(), keeper, queue));
        graces = new Graces(loop, ticker, realm.grace(), realm.probe(), this::happened);
    }

    /// Reads the whole cluster, puts right what is wrong in it, and begins to publish.
    void begin() {
        begin(ticker.nanos());
    }

    private void begin(long start) {
        loop.assertInLoop();
        if (phase != Phase.OPENING) {
            return;
        }
        realm.store().open(this::hint).thenComposeAsync(_ -> keeper.takeOver(), loop).whenCompleteAsync((_,
                failure) -> {
            if (phase == Phase.OVER) {
                return;
            }
            if (failure == null) {
                rule(start);
                return;
            }
            realm.observer().failed();
            log.warn("taking over failed and is tried again epoch={}", office.epoch(), WorkQueue.cause(failure));
            realm.store().close();
            loop.schedule(RETRY_PAUSE, () -> begin(start));
        }, loop);
    }

    private void rule(long start) {
        phase = Phase.RULING;
        keeper.publish();
        var took = ticker.since(start);
        realm.observer().tookOver(took);
        log.info("controller active controller={} epoch={} topics={} nodes={} millis={}", office.controllerId(),
                office.epoch(), keeper.image().topics().size(), keeper.image().nodes().all().size(), took.toMillis());
        keeper.image().nodes().all().stream().filter(Reign::owesAStream).forEach(graces::begin);
        balancing.ifPresent(Balancing::begin);
        shardBalancing.begin();
        queue.open();
    }

    private static boolean owesAStream(NodeImage node) {
        return node.active() && node.role() != Role.CONTROLLER;
    }

    /// Whether the cluster is read and published. Callable from any thread.
    boolean isRuling() {
        return phase == Phase.RULING;
    }

    /// What was published last.
    ClusterImage image() {
        return keeper.image();
    }

    /// Ends the term. What waits is told that this controller is active no more. Harmless when repeated.
    void end() {
        loop.assertInLoop();
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.OVER;
        keeper.end();
        graces.end();
        balancing.ifPresent(Balancing::end);
        shardBalancing.end();
        realm.store().close();
        realm.publication().end();
        realm.observer().image(ClusterImage.EMPTY);
        queue.close();
        log.info("controller active no more controller={} epoch={}", office.controllerId(), office.epoch());
    }

    /// Something happened to a node.
    void happened(ControllerEvent event) {
        loop.assertInLoop();
        switch (event) {
            case ControllerEvent.StreamUp up -> graces.end(up.node());
            case ControllerEvent.StreamDown down -> keeper.image()
                    .nodes()
                    .node(down.node().role(), down.node().id())
                    .filter(node -> node.epoch() == down.nodeEpoch())
                    .ifPresent(graces::begin);
            case ControllerEvent.GraceOver _ -> {
                // Decided below.
            }
        }
        queue.add(() -> keeper.decide(now -> realm.decider().happened(now, event)).whenCompleteAsync((_, failure) -> {
            if (failure != null && WorkQueue.isOfZooKeeper(WorkQueue.cause(failure))) {
                // What happened stays true: it must have its effect once ZooKeeper answers again.
                loop.schedule(RETRY_PAUSE, () -> happenedStill(event));
            }
        }, loop));
    }

    private void happenedStill(ControllerEvent event) {
        if (phase == Phase.RULING) {
            happened(event);
        }
    }

    /// Something in ZooKeeper may have changed.
    void hint(Hint hint) {
        loop.assertInLoop();
        if (phase == Phase.OVER) {
            return;
        }
        boolean first = hints.isEmpty();
        hints.add(hint);
        if (first) {
            queue.add(() -> {
                var at = hints;
                hints = new HashSet<>();
                return keeper.look(at).thenRunAsync(this::awaitStreams, loop);
            });
        }
    }

    /// Brokers that lived on under another registration go on as they were, if a stream follows.
    private void awaitStreams() {
        if (phase == Phase.RULING) {
            keeper.state().image().nodes().all().stream().filter(Reign::owesAStream).filter(node -> !keeper.state()
                    .streams(node.key(), node.epoch())).forEach(graces::beginOnce);
        }
    }

    /// Carries out a command; see [io.millrace.metadata.command.CommandHandler].
    <R> CompletableFuture<R> asked(Command<R> command) {
        loop.assertInLoop();
        if (queuedCommands >= MAX_QUEUED_COMMANDS) {
            return CompletableFuture.failedFuture(new CommandRefused(Errors.REQUEST_TIMED_OUT.code(),
                    "The controller has " + queuedCommands + " commands to carry out before this one."));
        }
        var result = new CompletableFuture<R>();
        enqueue(command, result);
        return result;
    }

    private <R> void enqueue(Command<R> command, CompletableFuture<R> result) {
        queuedCommands++;
        queue.add(() -> {
            queuedCommands--;
            return carryOut(command, result);
        });
    }

    private <R> CompletableFuture<?> carryOut(Command<R> command, CompletableFuture<R> result) {
        // Decided anew after each conflict: the last answer is the one that was written.
        var answer = new AtomicReference<Answer<R>>();
        return keeper.decide(now -> {
            var decided = realm.decider().asked(now, command);
            answer.set(decided);
            return decided.decision();
        }).whenCompleteAsync((_, failure) -> {
            var decided = answer.get();
            if (failure != null) {
                result.completeExceptionally(refusal(WorkQueue.cause(failure)));
            } else if (decided != null && decided.goesOn() && phase == Phase.RULING) {
                enqueue(command, result);
            } else if (decided != null) {
                complete(decided, result);
            }
        }, loop);
    }

    private <R> void complete(Answer<R> answer, CompletableFuture<R> result) {
        if (answer.waitMillis() <= 0 || answer.decision().records().isEmpty()) {
            result.complete(answer.result());
            return;
        }
        realm.publication()
                .applied(keeper.image().version(), Duration.ofMillis(answer.waitMillis()))
                .thenAccept(applied -> result.complete(applied ? answer.result() : answer.late()));
    }

    private static Throwable refusal(Throwable failure) {
        return WorkQueue.isOfZooKeeper(failure)
                ? new CommandRefused(Errors.REQUEST_TIMED_OUT.code(),
                        "ZooKeeper did not answer in time; whether the change was made is not known.")
                : failure;
    }
}
