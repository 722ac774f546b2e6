package io.millrace.service.membership;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.check.Check;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZnodesUnavailable;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.ReadinessCheck;
import io.millrace.service.lifecycle.Step;
import io.millrace.service.metrics.Telemetry;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.registration.NodeRegistration;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.service.subscription.ZnodeActiveController;
import lombok.extern.slf4j.Slf4j;

/// This process as a member of the cluster. Made once ZooKeeper answers; it registers and follows the metadata only in
/// the steps that a service puts in its own order.
@Slf4j
public final class Membership implements AutoCloseable {
    private static final Duration FIRST_IMAGE = Duration.ofMinutes(10);

    private final String name;
    private final SingleThreadLoop loop;
    private final Znodes znodes;
    private final ZnodeActiveController locator;
    private final ControllerClient controller;
    private final NodeRegistration registration;
    private final MetadataSubscription subscription;
    private volatile boolean joined;

    /// Connects to ZooKeeper, waiting for it as long as it takes, with a line of log for each vain attempt.
    ///
    /// @param name of the node, for logs and threads: `broker-0`
    /// @param description asked at each registration and each new stream, once the node is about to register
    /// @throws InterruptedException where the wait is to end
    public static Membership connect(String name, ServerSettings settings, Supplier<NodeDescription> description,
            Telemetry telemetry, Clock clock) throws InterruptedException {
        var znodes = zookeeper(name, settings, telemetry.meters());
        return new Membership(name, settings, znodes, description, telemetry.observations(), clock);
    }

    /// A session with ZooKeeper, for which it waits as long as it takes, with a line of log for each vain attempt.
    ///
    /// @param name of the node, for logs
    /// @throws InterruptedException where the wait is to end
    public static Znodes zookeeper(String name, ServerSettings settings, MeterRegistry meters)
            throws InterruptedException {
        while (true) {
            try {
                return Znodes.connect(zookeeper(settings), meters);
            } catch (ZnodesUnavailable unavailable) {
                log.warn("waiting node={} for=zookeeper reason=\"{}\"", name, unavailable.getMessage());
            }
        }
    }

    private Membership(String name, ServerSettings settings, Znodes znodes, Supplier<NodeDescription> description,
            ObservationRegistry observations, Clock clock) {
        this.name = name;
        this.znodes = znodes;
        loop = new SingleThreadLoop("membership-" + name);
        locator = new ZnodeActiveController(znodes, loop);
        controller = ControllerClient.create(locator, observations);
        registration = new NodeRegistration(znodes, description, loop, clock, Ticker.SYSTEM,
                zookeeper(settings).sessionTimeout().multipliedBy(2));
        subscription = MetadataSubscription.over(locator, () -> hello(description.get()), loop, Ticker.SYSTEM,
                StreamConfig.DEFAULT);
        // A stream begins anew with each registration: what came before is another node to the controller.
        registration.onChange(epoch -> subscription.reconnect("registered again epoch=" + epoch));
    }

    private Hello hello(NodeDescription node) {
        long epoch = registration.epoch();
        Check.state(epoch != 0, "not registered");
        return new Hello(node.role(), node.id(), epoch, MetadataVersion.NONE, node.http(), node.softwareVersion());
    }

    /// `zookeeper.connect` and its timeouts.
    public static ZooKeeperConfig zookeeper(ServerSettings settings) {
        var session = Duration.ofMillis(settings.getLong("zookeeper.session.timeout.ms"));
        return new ZooKeeperConfig(settings.getString("zookeeper.connect"), session,
                settings.isSet("zookeeper.connection.timeout.ms")
                        ? Duration.ofMillis(settings.getLong("zookeeper.connection.timeout.ms"))
                        : session);
    }

    /// ZooKeeper, below this cluster's chroot.
    public Znodes znodes() {
        return znodes;
    }

    /// The way to the active controller.
    public ControllerClient controller() {
        return controller;
    }

    /// What this node knows of the cluster.
    public MetadataSubscription subscription() {
        return subscription;
    }

    /// This node's znode.
    public NodeRegistration registration() {
        return registration;
    }

    /// Registers; undone by removing the znode.
    public Step registrationStep() {
        return new Step("registration", () -> registration.start().get(), registration::close, FIRST_IMAGE);
    }

    /// Opens the stream and waits for the first image; undone by ending the stream.
    public Step metadataStep() {
        return new Step("metadata", () -> {
            subscription.start();
            subscription.await(image -> !image.version().equals(MetadataVersion.NONE), FIRST_IMAGE).get();
            joined = true;
        }, this::leave, FIRST_IMAGE.plusSeconds(1));
    }

    private void leave() {
        joined = false;
        subscription.close();
    }

    /// Ready once it is registered and has taken over the metadata, until it leaves. It stays ready while ZooKeeper or the
    /// controller is away: clients are served by what it knows, and nobody else could do it better.
    public ReadinessCheck readiness() {
        return new ReadinessCheck("membership", () -> joined
                ? Optional.empty()
                : Optional.of(registration.epoch() == 0 ? "not registered" : "no metadata yet"));
    }

    /// Alive while its loop turns.
    public LivenessCheck liveness() {
        return LivenessCheck.of("membership-" + name, loop);
    }

    /// Ends all of it. Blocks for a bounded time.
    @Override
    public void close() {
        subscription.close();
        registration.close();
        controller.close();
        locator.close();
        znodes.close();
        loop.close();
        log.info("left the cluster node={}", name);
    }
}
