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
import io.millrace.log.disk.SimulatedDisk;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.SimulatedStreams;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.registration.NodeRegistration;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.service.subscription.ZnodeActiveController;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// A broker, through all its lives, and its machine: everything of the real one but sockets, threads and Spring. Its disks
/// outlive its processes.
final class SimulatedBroker {
    static final List<Path> DIRECTORIES = List.of(Path.of("/data/a"), Path.of("/data/b"));

    private static final int HAND_OVERS = 3;
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

    private final World world;
    private final int id;
    private final String clusterId;
    private final IntFunction<SimulatedController> controllers;
    private final IntFunction<SimulatedBroker> brokers;
    private final ReplicaChecks checks;
    private final SimulatedDisk disk;
    private @Nullable Life life;

    SimulatedBroker(World world, int id, String clusterId, IntFunction<SimulatedController> controllers,
            IntFunction<SimulatedBroker> brokers, ReplicaChecks checks) {
        this.world = world;
        this.id = id;
        this.clusterId = clusterId;
        this.controllers = controllers;
        this.brokers = brokers;
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
        return life == null ? ClusterImage.EMPTY : life.subscription.image();
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
        private final Znodes znodes;
        private final NodeRegistration registration;
        private final MetadataSubscription subscription;
        private final BrokerEngine engine;
        private final BrokerDoor door;
        private final HighWatermarkTruncation truncation = new HighWatermarkTruncation();
        private final ControllerClient controller;
        private boolean serving;
        private boolean ending;

        Life() throws IOException {
            process = new SimulatedProcess(host(id), world.loop(), this::look);
            var ticker = world.loop().ticker();
            var clock = world.loop().clock();
            world.network().listen(process);
            znodes = world.zookeeper().client(process, Settings.SESSION_TIMEOUT, world.random().split());
            var locator = new ZnodeActiveController(znodes, process);
            registration = new NodeRegistration(znodes, this::description, process, clock, ticker,
                    Settings.SESSION_TIMEOUT.multipliedBy(100));
            subscription = new MetadataSubscription(process, listener -> upstream(locator, listener));
            registration.onChange(epoch -> subscription.reconnect("registered again epoch=" + epoch));
            controller = controller(locator);
            try {
                engine = open();
            } catch (IOException | StartRefused failure) {
                process.kill();
                throw failure;
            }
            subscription.onChange(engine.partitions());
            door = new BrokerDoor(engine.apis(), process, world.flaw());
        }

        private BrokerEngine open() throws IOException {
            var workers = LoopExecutor.workers(process, Duration.ofMillis(world.random().nextInt(1, 20)));
            return BrokerEngine.open(new BrokerEngine.Node(id, clusterId, Settings.of(id)), new BrokerEngine.Cluster(
                    subscription::image, List.of(), controller, registration::epoch, this::leaderChannel,
                    CoordinatorChannel.NONE),
                    new BrokerEngine.Platform(new CompositeMeterRegistry(), world.loop().clock(), world.loop().ticker(),
                            disk, workers, world.random().split()), SimulatedBroker.this::storageLost);
        }

        void begin() {
            registration.start().thenAccept(_ -> {
                subscription.start();
                subscription.await(image -> !image.version().equals(MetadataVersion.NONE), START_TIMEOUT).thenAccept(
                        _ -> {
                            world.trace().say("serving broker=%d", id);
                            serving = true;
                        });
            });
        }

        void handOver(int tries) {
            controller.send(new ControlledShutdown(Role.BROKER, id, registration.epoch()), HAND_OVER_TIMEOUT)
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

        private ControllerClient controller(ActiveController locator) {
            var client = new SimulatedControllerClient(world.network(), process, locator, controllers, world.loop()
                    .ticker());
            return world.flaw() == Flaw.ACTS_ON_PROPOSALS ? new HastyController(client, id) : client;
        }

        private LeaderChannel leaderChannel(int leader, int fetcher) {
            return new SimulatedLeaderChannel(world.network(), process, brokers.apply(leader));
        }

        private NodeDescription description() {
            return new NodeDescription(Role.BROKER, id, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", host(id),
                    9092)), null, null, "simulated");
        }

        private MetadataSubscription.Upstream upstream(ZnodeActiveController locator, StreamListener listener) {
            var stream = SimulatedStreams.node(world.network(), process, controller -> controllers.apply(controller)
                    .streams(), new SimulatedStreams.Node(locator, this::hello, listener), Settings.STREAM, world.loop()
                            .ticker(), world.random().split());
            return new Upstream(stream);
        }

        private Hello hello() {
            if (registration.epoch() == 0) {
                throw new IllegalStateException("not registered");
            }
            return new Hello(Role.BROKER, id, registration.epoch(), MetadataVersion.NONE, null, "simulated");
        }
    }

    private record Upstream(MetadataStream stream) implements MetadataSubscription.Upstream {
        @Override
        public void start() {
            stream.start();
        }

        @Override
        public void reconnect(String reason) {
            stream.reconnect(reason);
        }

        @Override
        public void close() {
            stream.close();
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
