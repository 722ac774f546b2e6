package io.millrace.service.registration;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.SessionState;
import io.millrace.metadata.zookeeper.Watch;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.lifecycle.StartRefused;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Keeps this node's ephemeral znode: `/brokers/ids/N` of a broker, `/services/<role>/N` of all others.
///
///     Absent ──create──► Registered ──session lost, or the znode removed──► Absent ──► …   (any) ──close──► Closed
///
/// A connection that is only suspended changes nothing: the znode may well live on. One that a process left behind of which
/// this machine knows that it is dead is removed, so that a node that is killed and started again need not wait for its own
/// old session; nobody else's ever is. A process that was only paused finds another in its place, and waits. All state
/// belongs to the loop.
@Slf4j
public final class NodeRegistration implements AutoCloseable {
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final Znodes znodes;
    private final Supplier<NodeDescription> node;
    private final Loop loop;
    private final Clock clock;
    private final Ticker ticker;
    private final Duration foreignWait;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Long> started = new CompletableFuture<>();

    private final Optional<ProcessMark> process = ProcessMark.self();
    private final String life = UUID.randomUUID().toString();

    private State state = new State.Absent();
    private @Nullable Deadline foreignDeadline;
    private @Nullable String waitingFor;
    private @Nullable Watch session;
    private @Nullable Watch watch;
    private volatile long epoch;

    /// What is known of the znode.
    private sealed interface State {
        /// Not there, and no attempt under way.
        record Absent() implements State {}

        /// An attempt to create it is under way, or waits to be repeated.
        record Creating() implements State {}

        /// There, as ours.
        record Registered(String path, Znode znode) implements State {}

        /// Given up for good.
        record Closed() implements State {}
    }

    /// @param node asked at each registration, since ports may be known only once they are bound
    /// @param loop on which all of it runs
    /// @param clock for the timestamp in the znode
    /// @param ticker for `foreignWait`
    /// @param foreignWait how long the start waits for a znode of the same id that is not ours to go: it may be that of our
    ///         dead predecessor, whose session lives on for its timeout
    public NodeRegistration(Znodes znodes, Supplier<NodeDescription> node, Loop loop, Clock clock, Ticker ticker,
            Duration foreignWait) {
        this.znodes = znodes;
        this.node = node;
        this.loop = loop;
        this.clock = clock;
        this.ticker = ticker;
        this.foreignWait = foreignWait;
    }

    /// Registers, and again whenever that is needed. Completes with the first epoch, or fails with [StartRefused] where a
    /// live node of the same id does not go away. ZooKeeper being away is waited for, with a line of log.
    public CompletableFuture<Long> start() {
        loop.execute(() -> {
            Check.state(session == null, "registration started twice");
            session = znodes.session(loop, this::onSession);
        });
        return started.copy();
    }

    /// czxid of the newest registration: differs at each. 0 before the first.
    public long epoch() {
        return epoch;
    }

    /// Tells each new epoch, on the loop. To be added before [#start].
    public void onChange(LongConsumer listener) {
        listeners.add(listener);
    }

    private void onSession(SessionState now) {
        loop.assertInLoop();
        switch (now) {
            case CONNECTED -> createIfAbsent();
            case SUSPENDED -> {
            } // the znode may well live on
            case LOST -> lost("session lost");
        }
    }

    private void lost(String why) {
        if (state instanceof State.Registered registered) {
            log.warn("registration lost path={} epoch={} reason={}", registered.path(), registered.znode().czxid(),
                    why);
            state = new State.Absent();
        }
    }

    private void createIfAbsent() {
        if (state instanceof State.Absent) {
            state = new State.Creating();
            create();
        }
    }

    private void create() {
        if (!(state instanceof State.Creating)) {
            return;
        }
        var description = node.get();
        var path = Paths.node(description.key());
        znodes.ensure(path.substring(0, path.lastIndexOf('/')))
                .thenCompose(_ -> znodes.createEphemeral(path, Registrations.json(description, clock.millis(),
                        process, life)))
                .whenComplete((created, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        registered(path, created);
                    } else if (isForeign(failure)) {
                        succeed(description.role(), path, failure);
                    } else {
                        failed(path, failure);
                    }
                }));
    }

    /// Somebody else's znode is in the way: it goes where that one is surely dead. Of two that succeed the same one at the
    /// same moment the second wins; the first sees it and waits, as if it had come second.
    private void succeed(Role role, String path, Throwable refusal) {
        znodes.read(path)
                .thenCompose(found -> found.filter(znode -> Registrations.process(role, znode.data()).filter(
                        ProcessMark::isDead).isPresent())
                        .map(znode -> znodes.delete(path, znode.version()).thenApply(_ -> {
                            log.info("removed what a dead process left behind path={} epoch={}", path, znode.czxid());
                            return true;
                        }))
                        .orElseGet(() -> CompletableFuture.completedFuture(found.isEmpty())))
                .whenComplete((gone, failure) -> loop.execute(() -> {
                    if (failure == null && gone) {
                        create();
                    } else {
                        failed(path, refusal);
                    }
                }));
    }

    private static boolean isForeign(Throwable failure) {
        var cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof ZnodeRefused refused && refused.reason() == ZnodeRefused.Reason.NODE_EXISTS;
    }

    private void registered(String path, Znode created) {
        if (!(state instanceof State.Creating)) {
            znodes.delete(path, created.version());
            return;
        }
        state = new State.Registered(path, created);
        epoch = created.czxid();
        foreignDeadline = null;
        waitingFor = null;
        log.info("registered path={} epoch={}", path, epoch);
        if (watch == null) {
            watch = znodes.watch(path, loop, _ -> check(path));
        }
        listeners.forEach(listener -> listener.accept(created.czxid()));
        started.complete(created.czxid());
    }

    /// Something happened to the znode, or may have.
    private void check(String path) {
        if (!(state instanceof State.Registered registered)) {
            return;
        }
        znodes.read(path).whenComplete((found, failure) -> loop.execute(() -> {
            // What was read before a later registration says nothing of that.
            if (failure == null && registered.equals(state) && !isOurs(registered, found)) {
                lost(found.isEmpty() ? "znode removed" : "another session's znode in its place");
                createIfAbsent();
            }
        }));
    }

    private static boolean isOurs(State.Registered registered, Optional<Znode> found) {
        return found.filter(znode -> znode.czxid() == registered.znode().czxid()).isPresent();
    }

    private void failed(String path, Throwable failure) {
        if (!(state instanceof State.Creating)) {
            return;
        }
        var cause = failure.getCause() == null ? failure : failure.getCause();
        boolean foreign = isForeign(failure);
        if (foreign && !started.isDone() && foreignDeadline == null) {
            foreignDeadline = Deadline.in(foreignWait, ticker);
        }
        if (foreign && foreignDeadline != null && foreignDeadline.passed()) {
            state = new State.Closed();
            started.completeExceptionally(new StartRefused("another live node is registered at " + path
                    + "; ids must differ (waited " + foreignWait.toSeconds() + " s for it to go)"));
            return;
        }
        logWaiting(path, foreign ? "another session's znode" : String.valueOf(cause.getMessage()));
        loop.schedule(RETRY, this::create);
    }

    /// Once for each reason, not for each attempt.
    private void logWaiting(String path, String reason) {
        if (!reason.equals(waitingFor)) {
            waitingFor = reason;
            log.warn("registration waits path={} reason={}", path, reason);
        }
    }

    /// Removes the znode, so that nobody waits for the session to end. Blocks for at most five seconds; not to be called
    /// on the loop.
    @Override
    public void close() {
        var closed = new CompletableFuture<Void>();
        loop.execute(() -> leave().whenComplete((_, failure) -> {
            if (failure == null) {
                closed.complete(null);
            } else {
                closed.completeExceptionally(failure);
            }
        }));
        try {
            closed.get(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            log.warn("registration not removed, it goes with its session reason={}", late.toString());
        }
    }

    private CompletableFuture<?> leave() {
        var last = state;
        state = new State.Closed();
        if (session != null) {
            session.close();
        }
        if (watch != null) {
            watch.close();
        }
        started.completeExceptionally(new StartRefused("closed before it was registered"));
        if (!(last instanceof State.Registered registered)) {
            return CompletableFuture.completedFuture(null);
        }
        log.info("deregistered path={} epoch={}", registered.path(), registered.znode().czxid());
        return znodes.delete(registered.path(), registered.znode().version());
    }
}
