package io.millrace.tests.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.broker.BrokerEngine;
import io.millrace.broker.replication.LeaderChannel;
import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.broker.transaction.NodeCoordinators;
import io.millrace.log.disk.SimulatedDisk;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Role;
import io.millrace.service.lifecycle.StartRefused;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// A broker, through all its lives, and its machine: everything of the real one but sockets, threads and Spring. Its disks
/// outlive its processes.
final class SimulatedBroker {
    static final List<Path> DIRECTORIES = List.of(Path.of("/data/a"), Path.of("/data/b"));

    private static final String LISTENER = "PLAINTEXT";
    private static final int HAND_OVERS = 3;
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(1);

    private final World world;
    private final int id;
    private final String clusterId;
    private final IntFunction<SimulatedController> controllers;
    private final SimulatedNodes nodes;
    private final ReplicaChecks checks;
    private final SimulatedDisk disk;
    private @Nullable Life life;

    SimulatedBroker(World world, int id, String clusterId, IntFunction<SimulatedController> controllers,
            SimulatedNodes nodes, ReplicaChecks checks) {
        this.world = world;
        this.id = id;
        this.clusterId = clusterId;
        this.controllers = controllers;
        this.nodes = nodes;
        this.checks = checks;
        disk = new SimulatedDisk(world.loop().clock());
    }

    static String host(int id) {
        return "broker-" + id;
    }

    int id() {
        return id;
    }

    String host() {
        return host(id);
    }

    boolean isAlive() {
        return life != null;
    }

    /// The running process; null where there is none.
    @Nullable
    SimulatedProcess process() {
        return life == null ? null : life.process;
    }

    /// What it is for its partitions; null where it does not run.
    @Nullable
    BrokerEngine engine() {
        return life == null ? null : life.engine;
    }

    SimulatedDisk disk() {
        return disk;
    }

    /// What it knows of the cluster; empty where it does not run.
    ClusterImage image() {
        return life == null ? ClusterImage.EMPTY : life.membership.image();
    }

    /// Begins a new life. The registration may have to wait for the end of the one before.
    void start() {
        world.trace().say("start broker=%d", id);
        try {
            var next = new Life();
            life = next;
            next.begin();
        } catch (IOException | StartRefused failure) {
            world.trace().say("start failed broker=%d cause=%s", id, failure.toString());
            die();
        }
    }

    /// The process ends as by SIGKILL: what it wrote stays.
    void kill() {
        world.trace().say("kill broker=%d", id);
        die();
        if (world.flaw() == Flaw.FORGETS_WHEN_KILLED) {
            disk.losePower(world.random());
        }
    }

    /// The process is asked to end, as by SIGTERM: it hands over what others can take, closes its logs and ends.
    void terminate() {
        var ending = life;
        if (ending != null && !ending.ending) {
            world.trace().say("terminate broker=%d", id);
            ending.ending = true;
            ending.handOver(HAND_OVERS);
        }
    }

    /// Whether it was asked to end and has not done so yet.
    boolean isEnding() {
        return life != null && life.ending;
    }

    private void die() {
        var ended = life;
        life = null;
        disk.processEnded();
        if (ended != null) {
            ended.process.kill();
            world.network().died(ended.process);
            checks.ended(id);
        }
    }

    /// The machine stops, and forgets what was not synced.
    void losePower() {
        world.trace().say("power loss broker=%d", id);
        world.network().dark(host());
        var ended = life;
        life = null;
        if (ended != null) {
            ended.process.kill();
            checks.ended(id);
        }
        disk.losePower(world.random());
    }

    /// Called by the network, on its loop.
    CompletableFuture<ApiMessage> handle(ApiMessage request) {
        return life == null || !life.serving
                ? CompletableFuture.failedFuture(new IOException("not listening"))
                : life.door.handle(request);
    }

    private final class Life {
        private final SimulatedProcess process;
        private final SimulatedMembership membership;
        private final BrokerEngine engine;
        private final BrokerDoor door;
        private final HighWatermarkTruncation truncation = new HighWatermarkTruncation();
        private final ControllerClient controller;
        private boolean serving;
        private boolean ending;

        Life() throws IOException {
            process = new SimulatedProcess(host(id), world.loop(), this::look);
            world.network().listen(process);
            membership = new SimulatedMembership(world, process, Role.BROKER, id, controllers);
            controller = world.flaw() == Flaw.ACTS_ON_PROPOSALS
                    ? new HastyController(membership.controller(), id)
                    : membership.controller();
            try {
                engine = open();
            } catch (IOException | StartRefused failure) {
                process.kill();
                throw failure;
            }
            membership.subscription().onChange(engine.partitions());
            door = new BrokerDoor(engine.apis(), process, world.flaw());
        }

        private BrokerEngine open() throws IOException {
            var workers = LoopExecutor.workers(process, Duration.ofMillis(world.random().nextInt(1, 20)));
            return BrokerEngine.open(new BrokerEngine.Node(id, clusterId, Settings.of(id)), new BrokerEngine.Cluster(
                    membership::image, List.of(), controller, membership::epoch, this::leaderChannel, coordinators()),
                    new BrokerEngine.Platform(new CompositeMeterRegistry(), world.loop().clock(), world.loop().ticker(),
                            disk, workers, world.random().split()), SimulatedBroker.this::storageLost);
        }

        private CoordinatorChannel coordinators() {
            return new NodeCoordinators(new SimulatedNodeClient(world.network(), process, nodes::at),
                    id -> NodeCoordinators.find(id, membership.image(), LISTENER),
                    shard -> NodeCoordinators.ownerOf(shard, membership.image(), LISTENER));
        }

        void begin() {
            membership.begin(() -> {
                world.trace().say("serving broker=%d", id);
                serving = true;
            });
        }

        void handOver(int tries) {
            controller.send(new ControlledShutdown(Role.BROKER, id, membership.epoch()), HAND_OVER_TIMEOUT)
                    .whenComplete((result, failure) -> {
                        world.trace().say("handed over broker=%d result=%s", id, failure == null ? result : failure);
                        boolean all = failure == null && result.remaining() == 0;
                        if (all) {
                            world.trace().happened("controlled shutdown");
                        }
                        if (all || tries == 1) {
                            end();
                        } else {
                            process.schedule(HAND_OVER_TIMEOUT, () -> handOver(tries - 1));
                        }
                    });
        }

        private void end() {
            serving = false;
            engine.stopFollowing().thenRun(() -> {
                engine.close();
                world.trace().say("ended broker=%d", id);
                die();
            });
        }

        private void look() {
            if (world.flaw() == Flaw.TRUNCATES_TO_HIGH_WATERMARK && engine() != null) {
                truncation.look(engine.registry());
            }
            checks.check(SimulatedBroker.this);
        }

        private LeaderChannel leaderChannel(int leader, int fetcher) {
            return new SimulatedLeaderChannel(world.network(), process, nodes.broker(leader));
        }
    }

    /// As the real process: it ends.
    private void storageLost() {
        world.loop().execute(() -> {
            if (isAlive()) {
                world.trace().say("storage lost broker=%d", id);
                die();
            }
        });
    }
}
