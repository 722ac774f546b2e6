package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.SimulatedStreams;
import io.millrace.metadata.stream.StreamListener;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.registration.NodeRegistration;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.service.subscription.ZnodeActiveController;

/// How one life of a node takes part in its cluster: registered in ZooKeeper, told of all that changes, with a way to the
/// active controller.
final class SimulatedMembership {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final int PORT = 9092;

    private final World world;
    private final SimulatedProcess process;
    private final Role role;
    private final int id;
    private final IntFunction<SimulatedController> controllers;
    private final ZnodeActiveController locator;
    private final NodeRegistration registration;
    private final MetadataSubscription subscription;
    private final ControllerClient controller;

    SimulatedMembership(World world, SimulatedProcess process, Role role, int id,
            IntFunction<SimulatedController> controllers) {
        this.world = world;
        this.process = process;
        this.role = role;
        this.id = id;
        this.controllers = controllers;
        var ticker = world.loop().ticker();
        Znodes znodes = world.zookeeper().client(process, Settings.SESSION_TIMEOUT, world.random().split());
        locator = new ZnodeActiveController(znodes, process);
        registration = new NodeRegistration(znodes, this::description, process, world.loop().clock(), ticker,
                Settings.SESSION_TIMEOUT.multipliedBy(100));
        subscription = new MetadataSubscription(process, this::upstream);
        registration.onChange(epoch -> subscription.reconnect("registered again epoch=" + epoch));
        controller = new SimulatedControllerClient(world.network(), process, locator, controllers, ticker);
    }

    /// @param serving called once it is registered and knows the cluster
    void begin(Runnable serving) {
        registration.start().thenAccept(_ -> {
            subscription.start();
            subscription.await(image -> !image.version().equals(MetadataVersion.NONE), START_TIMEOUT).thenAccept(
                    _ -> serving.run());
        });
    }

    MetadataSubscription subscription() {
        return subscription;
    }

    ClusterImage image() {
        return subscription.image();
    }

    /// Of the present registration.
    long epoch() {
        return registration.epoch();
    }

    ControllerClient controller() {
        return controller;
    }

    private NodeDescription description() {
        return new NodeDescription(role, id, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", process.host(),
                PORT)), null, null, "simulated");
    }

    private MetadataSubscription.Upstream upstream(StreamListener listener) {
        var stream = SimulatedStreams.node(world.network(), process, one -> controllers.apply(one).streams(),
                new SimulatedStreams.Node(locator, this::hello, listener), Settings.STREAM, world.loop().ticker(),
                world.random().split());
        return new Upstream(stream);
    }

    private Hello hello() {
        if (registration.epoch() == 0) {
            throw new IllegalStateException("not registered");
        }
        return new Hello(role, id, registration.epoch(), MetadataVersion.NONE, null, "simulated");
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
}
