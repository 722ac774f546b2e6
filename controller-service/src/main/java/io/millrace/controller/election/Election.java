package io.millrace.controller.election;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntConsumer;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.controller.core.Office;
import io.millrace.metadata.znode.ControllerEpochNode;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.MalformedZnode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.SessionState;
import io.millrace.metadata.zookeeper.Watch;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;

/// One candidate for `/controller`. The winner created it in the same multi that raised `/controller_epoch` by
/// compare-and-set, so that there is one holder for each epoch, and the epoch's version guards all its writes.
///
/// Losing the session ends the office at once, on the word of the client alone: the ensemble may give it to another before
/// this one hears of it, and until then the guard holds. A standby does not wait for the session of a holder to end
/// whose process is gone: it removes the node, guarded by the epoch, so that it can only be that incarnation's.
@Slf4j
public final class Election {
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
    private static final Duration ABSTENTION = Duration.ofSeconds(5);
    /// Looks that follow each other quickly once the holder is suspected: a process that is killed may lose its connections
    /// a moment before its port.
    private static final int HURRIED_LOOKS = 20;
    private static final Duration HURRIED_PAUSE = Duration.ofMillis(25);

    private final Znodes znodes;
    private final int id;
    private final Loop loop;
    private final Clock clock;
    private final OfficeHolder holder;
    private final Rivals rivals;
    private final IntConsumer onHolder;

    private Candidacy candidacy = new Candidacy.Waiting();
    private Optional<Watch> watch = Optional.empty();
    private Optional<Watch> session = Optional.empty();
    private Optional<Timeout> nextLook = Optional.empty();
    private boolean connected;
    private boolean abstaining;
    private int hurriedLooks;

    /// @param id of this controller
    /// @param clock for the timestamp in `/controller`
    /// @param onHolder told on the loop who holds the office, as far as this one knows; -1 where nobody does
    public Election(Znodes znodes, int id, Loop loop, Clock clock, OfficeHolder holder, Rivals rivals,
            IntConsumer onHolder) {
        this.znodes = znodes;
        this.id = id;
        this.loop = loop;
        this.clock = clock;
        this.holder = holder;
        this.rivals = rivals;
        this.onHolder = onHolder;
    }

    /// What is read before each attempt.
    private record Ballot(Optional<Znode> controller, Optional<Znode> epoch) {}

    /// Begins to stand for the office.
    public void start() {
        loop.assertInLoop();
        holder.standsBy();
        rivals.onSuspicion(this::suspect);
        session = Optional.of(znodes.session(loop, this::onSession));
        watch = Optional.of(znodes.watch(Paths.CONTROLLER, loop, _ -> look()));
    }

    /// Gives up the office, if it is held, so that another takes over at once, and stands no more.
    ///
    /// @return completes once `/controller` is gone or could not be removed; it goes with the session then
    public CompletableFuture<Void> withdraw() {
        loop.assertInLoop();
        var last = candidacy;
        candidacy = new Candidacy.Withdrawn();
        watch.ifPresent(Watch::close);
        session.ifPresent(Watch::close);
        nextLook.ifPresent(Timeout::cancel);
        if (!(last instanceof Candidacy.Holding held)) {
            return CompletableFuture.completedFuture(null);
        }
        onHolder.accept(-1);
        holder.resigned();
        log.info("office given up controller={} epoch={}", id, held.office().epoch());
        return remove(held.office().epochVersion()).handle((_, failure) -> {
            if (failure != null) {
                log.warn("office node stays until the session ends controller={} cause={}", id, failure.toString());
            }
            return null;
        });
    }

    /// Gives up the office, if it is that one, and lets another have it: stands again once somebody does, or nobody has for a
    /// while.
    public void resign(Office office) {
        loop.assertInLoop();
        if (!(candidacy instanceof Candidacy.Holding held) || !held.office().equals(office)) {
            return;
        }
        log.info("office given up controller={} epoch={}", id, office.epoch());
        abstaining = true;
        loop.schedule(ABSTENTION, this::standAgain);
        candidacy = new Candidacy.Waiting();
        onHolder.accept(-1);
        holder.resigned();
        holder.standsBy();
        remove(office.epochVersion()).whenCompleteAsync((_, _) -> look(), loop);
    }

    private void standAgain() {
        abstaining = false;
        look();
    }

    private void onSession(SessionState state) {
        connected = state == SessionState.CONNECTED;
        switch (state) {
            case CONNECTED -> look();
            case SUSPENDED -> log.info("ZooKeeper is away controller={} candidacy={}", id, candidacy);
            case LOST -> lose("session lost");
        }
    }

    private void lose(String cause) {
        if (candidacy instanceof Candidacy.Holding held) {
            candidacy = new Candidacy.Waiting();
            log.warn("office lost controller={} epoch={} cause={}", id, held.office().epoch(), cause);
            onHolder.accept(-1);
            holder.resigned();
            holder.standsBy();
        }
    }

    /// A write of ours met a higher epoch.
    private void deposed(Office office) {
        loop.assertInLoop();
        if (candidacy instanceof Candidacy.Holding held && held.office().equals(office)) {
            lose("deposed");
            look();
        }
    }

    private void suspect() {
        loop.assertInLoop();
        hurriedLooks = HURRIED_LOOKS;
        look();
    }

    /// Looks who holds the office and does what follows. Anything may call it at any time.
    private void look() {
        if (!connected || candidacy instanceof Candidacy.Running || candidacy instanceof Candidacy.Withdrawn) {
            return;
        }
        nextLook.ifPresent(Timeout::cancel);
        var before = candidacy;
        if (before instanceof Candidacy.Waiting) {
            candidacy = new Candidacy.Running();
        }
        read().whenCompleteAsync((ballot, failure) -> {
            if (before instanceof Candidacy.Holding held) {
                checkHeld(held, ballot);
            } else if (failure != null) {
                pause(RETRY_PAUSE);
            } else {
                judge(ballot);
            }
        }, loop);
    }

    private CompletableFuture<Ballot> read() {
        return znodes.readAll(List.of(Paths.CONTROLLER, Paths.CONTROLLER_EPOCH)).thenApply(found -> new Ballot(found
                .getFirst(), found.getLast()));
    }

    private void checkHeld(Candidacy.Holding held, Ballot ballot) {
        if (ballot == null || !held.equals(candidacy)) {
            return;
        }
        if (ballot.controller().filter(node -> node.czxid() == held.czxid()).isEmpty()) {
            lose("/controller is not ours any more");
            look();
        }
    }

    private void judge(Ballot ballot) {
        if (!(candidacy instanceof Candidacy.Running)) {
            return;
        }
        if (ballot.epoch().isEmpty()) {
            // Two that create it at once make no difference: it is the raising that counts.
            znodes.create(Paths.CONTROLLER_EPOCH, new ControllerEpochNode(0).text()).whenCompleteAsync((_, _) -> pause(
                    Duration.ZERO), loop);
            return;
        }
        var controller = ballot.controller();
        if (controller.isEmpty() && abstaining) {
            pause(LOOK_INTERVAL);
        } else if (controller.isEmpty()) {
            run(ballot.epoch().get());
        } else {
            stand(controller.get(), ballot.epoch().get());
        }
    }

    private void run(Znode epochNode) {
        int epoch;
        try {
            epoch = ControllerEpochNode.parse(epochNode.data()).epoch() + 1;
        } catch (MalformedZnode malformed) {
            log.error("no controller can be elected until a person repairs path={} problem={}", epochNode.path(),
                    malformed
                            .getMessage());
            pause(LOOK_INTERVAL);
            return;
        }
        var office = new Office(id, epoch, epochNode.version() + 1);
        var node = new ControllerNode(id, clock.millis());
        znodes.multi(List.of(new ZnodeWrite.CreateEphemeral(Paths.CONTROLLER, node.json()), new ZnodeWrite.Set(
                Paths.CONTROLLER_EPOCH, new ControllerEpochNode(epoch).text(), epochNode.version())))
                .handle((_, failure) -> failure)
                .thenCompose(failure -> read().thenApply(ballot -> wonBy(office, node, ballot, failure)))
                .whenCompleteAsync((won, failure) -> {
                    if (failure != null || won.isEmpty()) {
                        pause(failure == null ? Duration.ZERO : RETRY_PAUSE);
                    } else {
                        win(office, won.get());
                    }
                }, loop);
    }

    /// The node that makes the office ours. Also where the answer of the multi was lost: what was written says who won,
    /// since nobody else writes our id with our timestamp at that epoch.
    private static Optional<Znode> wonBy(Office office, ControllerNode node, Ballot ballot, Throwable failure) {
        if (failure != null && isRefused(failure)) {
            return Optional.empty();
        }
        boolean ourEpoch = ballot.epoch().filter(epoch -> epoch.version() == office.epochVersion()).isPresent();
        return ballot.controller().filter(written -> ourEpoch && written.data().equals(node.json()));
    }

    private static boolean isRefused(Throwable failure) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ZnodeRefused;
    }

    private void win(Office office, Znode node) {
        if (!(candidacy instanceof Candidacy.Running)) {
            remove(office.epochVersion());
            return;
        }
        candidacy = new Candidacy.Holding(office, node.czxid());
        log.info("office won controller={} epoch={}", id, office.epoch());
        rivals.held(id, node.czxid());
        onHolder.accept(id);
        holder.elected(office, () -> deposed(office));
    }

    /// Somebody holds the office: waits for it, or takes the node of a dead one away.
    private void stand(Znode controller, Znode epoch) {
        int rival = idIn(controller);
        abstaining &= rival == id;
        rivals.held(rival, controller.czxid());
        onHolder.accept(rival);
        var dead = rival == id
                // No other process has our id (the registration saw to that), and this one does not hold the office: it is
                // a node of an earlier life.
                ? CompletableFuture.completedFuture(true)
                : rivals.isDead(rival);
        dead.whenCompleteAsync((isDead, failure) -> {
            if (failure == null && isDead) {
                log.warn("removing the node of a dead controller controller={} epoch={}", rival, epoch.data());
                remove(epoch.version()).whenCompleteAsync((_, _) -> pause(Duration.ZERO), loop);
            } else {
                pause(hurriedLooks > 0 ? HURRIED_PAUSE : LOOK_INTERVAL);
                hurriedLooks = Math.max(0, hurriedLooks - 1);
            }
        }, loop);
    }

    private static int idIn(Znode controller) {
        try {
            return ControllerNode.parse(controller.data()).id();
        } catch (MalformedZnode _) {
            return -1;
        }
    }

    private CompletableFuture<?> remove(int epochVersion) {
        return znodes.guarded(epochVersion, List.of(new ZnodeWrite.Delete(Paths.CONTROLLER, ZnodeWrite.ANY_VERSION)));
    }

    private void pause(Duration pause) {
        if (candidacy instanceof Candidacy.Running) {
            candidacy = new Candidacy.Waiting();
            nextLook = Optional.of(loop.schedule(pause, this::look));
        }
    }
}
