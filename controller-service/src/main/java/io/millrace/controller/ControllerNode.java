package io.millrace.controller;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.Controller;
import io.millrace.controller.core.ControllerEvent;
import io.millrace.controller.core.Office;
import io.millrace.controller.core.Realm;
import io.millrace.controller.election.Election;
import io.millrace.controller.election.Incumbent;
import io.millrace.controller.election.OfficeHolder;
import io.millrace.controller.election.PulseVigil;
import io.millrace.controller.election.TcpProbe;
import io.millrace.controller.probe.KafkaProbe;
import io.millrace.controller.publish.StreamPublication;
import io.millrace.controller.publish.Subscribers;
import io.millrace.controller.store.ZnodeStore;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.endpoint.ControllerEndpoint;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.SessionState;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.SoftwareVersion;
import io.millrace.service.lifecycle.Step;
import io.millrace.service.metrics.KafkaMeters;
import io.millrace.service.metrics.Telemetry;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.registration.NodeRegistration;
import org.jspecify.annotations.Nullable;

/// The parts of one controller, put together, and the order in which they start and stop.
final class ControllerNode implements OfficeHolder {
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(750);
    private static final Duration SILENCE = Duration.ofMillis(1_500);
    private static final Duration STEP_WAIT = Duration.ofSeconds(10);

    private final ControllerProperties properties;
    private final Addresses addresses;
    private final Znodes znodes;
    private final ObservationRegistry observations;
    private final SingleThreadLoop loop;
    private final MetadataPublisher publisher;
    private final PulseVigil vigil = new PulseVigil(SILENCE);
    private final Controller controller;
    private final Incumbent incumbent;
    private final OfficeCommands officeCommands;
    private final Election election;
    private final NodeRegistration registration;
    private volatile @Nullable ControllerEndpoint endpoint;

    /// What this node tells of its addresses; asked once its ports are bound.
    interface Addresses {
        /// Host of the HTTP address.
        String host();

        /// Root of actuator and REST.
        String http();
    }

    /// @param znodes closed with this node
    ControllerNode(ControllerProperties properties, ServerSettings settings, Addresses addresses, Znodes znodes,
            Telemetry telemetry) {
        this.properties = properties;
        this.addresses = addresses;
        this.znodes = znodes;
        observations = telemetry.observations();
        var meters = telemetry.meters();
        loop = new SingleThreadLoop("controller-" + properties.nodeId());
        var subscribers = new Subscribers(loop, Ticker.SYSTEM, this::happened);
        publisher = new MetadataPublisher(StreamConfig.DEFAULT, subscribers, meters);
        incumbent = new Incumbent(properties.nodeId(), znodes, loop, new TcpProbe(PROBE_TIMEOUT), vigil,
                this::holderChanged);
        var realm = new Realm(Decisions.of(settings), new ZnodeStore(znodes, loop, Ticker.SYSTEM, new NewIds()),
                new StreamPublication(publisher, subscribers, incumbent::address), new KafkaProbe(PROBE_TIMEOUT),
                Duration.ofMillis(settings.getInt("broker.session.timeout.ms")), Decisions.balance(settings),
                new ControllerMetrics(new KafkaMeters(meters), meters, subscribers::lag));
        controller = new Controller(realm, loop, Ticker.SYSTEM, incumbent::address);
        officeCommands = new OfficeCommands(controller, subscribers, loop, incumbent::address, this::resign);
        election = new Election(znodes, properties.nodeId(), loop, Clock.systemUTC(), this, incumbent, incumbent::is);
        registration = new NodeRegistration(znodes, this::description, loop, Clock.systemUTC(), Ticker.SYSTEM, Duration
                .ofMillis(2L * settings.getInt("zookeeper.session.timeout.ms")));
    }

    /// The steps of start and stop. A stop gives up the office first, so that a standby takes over at once.
    List<Step> steps() {
        return List.of(new Step("zookeeper", this::createPaths, this::close), new Step("stream", this::bind,
                this::unbind),
                new Step("registration", () -> await(registration.start(), Duration.ofMinutes(2)), registration::close,
                        Duration.ofMinutes(2)), new Step("election", () -> loop.execute(election::start),
                                this::withdraw));
    }

    /// The loop that decides.
    Loop loop() {
        return loop;
    }

    /// Why this node is neither active nor a standby that knows the active one; empty where it is either.
    Optional<String> whyNotReady() {
        if (znodes.state() != SessionState.CONNECTED) {
            return Optional.of("ZooKeeper is away");
        }
        if (controller.isActive()) {
            return Optional.empty();
        }
        var active = incumbent.address();
        if (active == null) {
            return Optional.of("no controller is elected");
        }
        return active.id() == properties.nodeId() ? Optional.of("taking over") : Optional.empty();
    }

    /// Where the stream and the commands are served.
    ///
    /// @throws IllegalStateException before the port is bound
    ControllerAddress address() {
        var bound = endpoint;
        if (bound == null) {
            throw new IllegalStateException("controller " + properties.nodeId() + " has no stream port yet");
        }
        var host = properties.streamHost();
        return new ControllerAddress(properties.nodeId(), host == null ? addresses.host() : host, bound.address()
                .getPort());
    }

    @Override
    public void standsBy() {
        controller.standBy();
        // The first answer of a port takes long: it must not be the one that nodes wait for after a takeover.
        vigil.keep(address(), _ -> {});
    }

    @Override
    public void elected(Office office, Runnable onDeposed) {
        officeCommands.holds(office);
        controller.elected(office, onDeposed);
    }

    @Override
    public void resigned() {
        officeCommands.holds(null);
        controller.resigned();
    }

    private void resign(Office office) {
        election.resign(office);
    }

    private void happened(ControllerEvent event) {
        controller.happened(event);
    }

    private void holderChanged(@Nullable ControllerAddress holder) {
        if (!controller.isElected()) {
            publisher.standBy(holder);
        }
    }

    private NodeDescription description() {
        var address = address();
        return new NodeDescription(Role.CONTROLLER, properties.nodeId(), List.of(new Endpoint("STREAM", "PLAINTEXT",
                address
                        .host(), address.port())), null, addresses.http(), SoftwareVersion.current());
    }

    private void createPaths() throws Exception {
        for (var path : Paths.AT_START) {
            await(znodes.ensure(path), STEP_WAIT);
        }
    }

    private void bind() {
        var host = properties.streamHost();
        endpoint = ControllerEndpoint.bind(host == null ? "0.0.0.0" : host, properties.streamPort(), publisher,
                new CommandRouter(officeCommands, observations));
    }

    private void unbind() {
        var bound = endpoint;
        if (bound != null) {
            bound.close();
        }
    }

    private void withdraw() throws Exception {
        await(CompletableFuture.supplyAsync(election::withdraw, loop).thenCompose(gone -> gone), STEP_WAIT);
    }

    private void close() {
        znodes.close();
        loop.close();
    }

    private static void await(CompletableFuture<?> future, Duration atMost) throws Exception {
        future.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
}
