package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.controller.Decisions;
import io.millrace.controller.core.Controller;
import io.millrace.controller.core.CoreObserver;
import io.millrace.controller.core.Office;
import io.millrace.controller.core.Realm;
import io.millrace.controller.election.Election;
import io.millrace.controller.election.Incumbent;
import io.millrace.controller.election.OfficeHolder;
import io.millrace.controller.publish.StreamPublication;
import io.millrace.controller.publish.Subscribers;
import io.millrace.controller.store.ZnodeStore;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.SimulatedStreams;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.registration.NodeRegistration;
import org.jspecify.annotations.Nullable;

/// A controller, through all its lives: everything of the real one but sockets, threads and Spring.
final class SimulatedController {
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private final World world;
    private final int id;
    private final IntFunction<SimulatedController> controllers;
    private @Nullable Life life;

    /// @param controllers all of them, by their ids
    SimulatedController(World world, int id, IntFunction<SimulatedController> controllers) {
        this.world = world;
        this.id = id;
        this.controllers = controllers;
    }

    static String host(int id) {
        return "controller-" + id;
    }

    int id() {
        return id;
    }

    String host() {
        return host(id);
    }

    void start() {
        var next = new Life();
        life = next;
        next.begin();
    }

    void kill() {
        var ended = life;
        life = null;
        if (ended != null) {
            ended.process.kill();
            world.network().died(ended.process);
        }
    }

    boolean isAlive() {
        return life != null;
    }

    /// The running process; null where there is none.
    @Nullable
    SimulatedProcess process() {
        var now = life;
        return now == null ? null : now.process;
    }

    /// Its end of the metadata streams; null where it does not run.
    @Nullable
    SimulatedStreams streams() {
        return life == null ? null : life.streams;
    }

    /// Whether it is active and publishes.
    boolean isActive() {
        return life != null && life.controller.isActive();
    }

    /// What it last decided; empty where it is not active.
    ClusterImage image() {
        return life == null ? ClusterImage.EMPTY : life.image;
    }

    /// Called by the network, on its loop.
    <R> CompletableFuture<R> handle(Command<R> command) {
        return life == null
                ? CompletableFuture.failedFuture(new IllegalStateException("not running"))
                : told(life.controller, command);
    }

    private <R> CompletableFuture<R> told(Controller controller, Command<R> command) {
        var former = new FormerLeaders(image());
        return world.flaw() == Flaw.AGREES_WITH_FORMER_LEADERS && command instanceof AlterPartition alter && former
                .isFormer(alter)
                        ? CompletableFuture.completedFuture(command.resultType().cast(former.agree(alter)))
                        : controller.handle(command);
    }

    private final class Life implements OfficeHolder, CoreObserver {
        private final SimulatedProcess process = new SimulatedProcess(host(id), world.loop());
        private final Znodes znodes;
        private final SimulatedStreams streams;
        private final Controller controller;
        private final Election election;
        private final NodeRegistration registration;
        private ClusterImage image = ClusterImage.EMPTY;

        Life() {
            var ticker = world.loop().ticker();
            var clock = world.loop().clock();
            world.network().listen(process);
            znodes = world.zookeeper().client(process, Settings.SESSION_TIMEOUT, world.random().split());
            var subscribers = new Subscribers(process, ticker, event -> active().happened(event));
            streams = new SimulatedStreams(process, ticker, Settings.STREAM, subscribers);
            var incumbent = new Incumbent(id, znodes, process, (host, _) -> world.network().refuses(process, host,
                    PROBE_TIMEOUT), new SimulatedVigil(world, process, controllers), holder -> {
                        if (!active().isElected()) {
                            streams().standBy(holder);
                        }
                    });
            var settings = Settings.of(id);
            var realm = new Realm(Decisions.of(settings, world::newId, world.random().split()), new ZnodeStore(znodes,
                    process, ticker, world::newId), new StreamPublication(streams, subscribers, incumbent::address),
                    this::isDead, Settings.GRACE, Decisions.balance(settings), this);
            controller = new Controller(realm, process, ticker, incumbent::address);
            election = new Election(znodes, id, process, clock, this, incumbent, incumbent::is);
            registration = new NodeRegistration(znodes, this::description, process, clock, ticker,
                    Settings.SESSION_TIMEOUT.multipliedBy(4));
        }

        private Controller active() {
            return controller;
        }

        private SimulatedStreams streams() {
            return streams;
        }

        void begin() {
            world.trace().say("start controller=%d", id);
            paths(0);
        }

        private void paths(int next) {
            if (next == Paths.AT_START.size()) {
                registration.start().thenAccept(_ -> election.start());
                return;
            }
            znodes.ensure(Paths.AT_START.get(next)).whenComplete((_, failure) -> {
                if (failure == null) {
                    paths(next + 1);
                } else {
                    process.schedule(Duration.ofMillis(100), () -> paths(next));
                }
            });
        }

        private NodeDescription description() {
            return new NodeDescription(Role.CONTROLLER, id, List.of(new Endpoint("STREAM", "PLAINTEXT", host(id), 1)),
                    null, null, "simulated");
        }

        private CompletableFuture<Boolean> isDead(NodeImage node) {
            var dead = new CompletableFuture<Boolean>();
            var late = process.schedule(PROBE_TIMEOUT, () -> dead.complete(true));
            dead.whenComplete((_, _) -> late.cancel());
            world.network().call(process, node.endpoints().getFirst().host(), () -> CompletableFuture.completedFuture(
                    true)).whenComplete((_, failure) -> dead.complete(failure != null));
            return dead;
        }

        @Override
        public void elected(Office office, Runnable onDeposed) {
            world.trace().say("elected controller=%d epoch=%d", id, office.epoch());
            controller.elected(office, onDeposed);
        }

        @Override
        public void resigned() {
            world.trace().say("resigned controller=%d", id);
            controller.resigned();
        }

        @Override
        public void standsBy() {
            controller.standBy();
        }

        @Override
        public void processed(Duration waited, Duration processed, int left) {
            // Nobody measures here.
        }

        @Override
        public void image(ClusterImage now) {
            image = now;
        }

        @Override
        public void tookOver(Duration took) {
            world.trace().say("ruling controller=%d", id);
        }

        @Override
        public void elected(int unclean, Duration took) {
            if (unclean > 0) {
                world.loop().execute(() -> {
                    throw new Violation("controller=%d elected %d leaders uncleanly", id, unclean);
                });
            }
        }

        @Override
        public void failed() {
            world.trace().say("failed controller=%d", id);
        }
    }
}
