package io.millrace.service.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.SessionState;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import io.millrace.service.lifecycle.StartRefused;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Against a real ZooKeeper in this process.
class NodeRegistrationIT {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestingServer server = start();
    private final SingleThreadLoop loop = new SingleThreadLoop("test");
    private final List<AutoCloseable> open = new ArrayList<>();

    private static TestingServer start() {
        try {
            return new TestingServer(true);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Znodes connect() {
        try {
            var znodes = Znodes.connect(new ZooKeeperConfig(server.getConnectString(), SESSION, PATIENCE),
                    new SimpleMeterRegistry());
            open.add(znodes);
            return znodes;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private NodeRegistration registration(Znodes znodes, Role role, int id, Duration foreignWait) {
        var node = new NodeDescription(role, id, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "localhost", 9092)),
                "r1",
                "http://localhost:8080", "1.0");
        var registration = new NodeRegistration(znodes, () -> node, loop, Clock.systemUTC(), Ticker.SYSTEM,
                foreignWait);
        open.addFirst(registration);
        return registration;
    }

    @AfterEach
    void close() throws Exception {
        for (var resource : open) {
            resource.close();
        }
        loop.close();
        server.close();
    }

    @Test
    void aBrokerIsFoundWhereKafkasToolsLookForIt() {
        var znodes = connect();
        var registration = registration(znodes, Role.BROKER, 3, PATIENCE);

        long epoch = get(registration.start());

        var znode = get(znodes.read("/brokers/ids/3")).orElseThrow();
        var stored = BrokerRegistration.parse(znode.data());
        assertThat(stored.endpoints()).extracting(Endpoint::port).containsExactly(9092);
        assertThat(stored.rack()).isEqualTo("r1");
        assertThat(epoch).isEqualTo(znode.czxid()).isEqualTo(registration.epoch());
        assertThat(znode.ephemeralOwner()).isNotZero();
    }

    @Test
    void anotherServiceIsFoundBesideKafkasTree() {
        var znodes = connect();
        get(registration(znodes, Role.CONTROLLER, 1, PATIENCE).start());

        var stored = ServiceRegistration.parse(get(znodes.read("/services/controller/1")).orElseThrow().data());

        assertThat(stored.port()).isEqualTo(9092);
        assertThat(stored.endpoints()).isEmpty();
        assertThat(stored.http()).isEqualTo("http://localhost:8080");
    }

    @Test
    void closingRemovesItAtOnce() {
        var znodes = connect();
        var registration = registration(znodes, Role.COORDINATOR, 1000, PATIENCE);
        get(registration.start());

        registration.close();

        assertThat(get(znodes.read("/services/coordinator/1000"))).isEmpty();
    }

    @Test
    void itComesBackByItselfWhenSomebodyRemovesIt() {
        var znodes = connect();
        var epochs = new CopyOnWriteArrayList<Long>();
        var registration = registration(znodes, Role.BROKER, 0, PATIENCE);
        registration.onChange(epochs::add);
        long first = get(registration.start());

        get(connect().deleteTree("/brokers/ids/0"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(epochs).hasSize(2));
        assertThat(registration.epoch()).isGreaterThan(first);
        assertThat(get(znodes.read("/brokers/ids/0"))).map(Znode::czxid).contains(registration.epoch());
    }

    @Test
    void itComesBackByItselfAfterTheSessionWasLost() throws Exception {
        var znodes = connect();
        var registration = registration(znodes, Role.BROKER, 0, PATIENCE);
        long first = get(registration.start());

        server.stop();
        await().atMost(PATIENCE).until(() -> znodes.state() == SessionState.LOST);
        server.restart();

        await().atMost(PATIENCE).until(() -> registration.epoch() > first);
        assertThat(get(connect().read("/brokers/ids/0"))).map(Znode::czxid).contains(registration.epoch());
    }

    @Test
    void aConnectionThatIsOnlySuspendedChangesNothing() throws Exception {
        var znodes = connect();
        var registration = registration(znodes, Role.BROKER, 0, PATIENCE);
        long first = get(registration.start());

        server.restart();

        await().atMost(PATIENCE).untilAsserted(
                () -> assertThat(get(connect().read("/brokers/ids/0"))).map(Znode::czxid).contains(first));
        assertThat(registration.epoch()).isEqualTo(first);
    }

    @Test
    void aForeignNodeOfTheSameIdIsWaitedForUntilItsSessionIsOver() throws Exception {
        var predecessor = connect();
        var old = registration(predecessor, Role.BROKER, 0, PATIENCE);
        long first = get(old.start());
        var registration = registration(connect(), Role.BROKER, 0, PATIENCE);

        var started = registration.start();
        assertThat(started).isNotDone();
        old.close();

        assertThat(get(started)).isGreaterThan(first);
    }

    @Test
    void aForeignNodeThatStaysIsAClearFailure() {
        get(registration(connect(), Role.BROKER, 0, PATIENCE).start());

        var refused = registration(connect(), Role.BROKER, 0, Duration.ofSeconds(1)).start();

        assertThatThrownBy(() -> refused.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(StartRefused.class).hasMessageContaining("/brokers/ids/0");
    }

    @Test
    void whatADeadProcessOfThisMachineLeftBehindIsReplacedAtOnce() throws Exception {
        var process = new ProcessBuilder("sleep", "600").start();
        var mark = markOf(process);
        process.destroyForcibly().waitFor();
        var left = get(prepared().createEphemeral("/brokers/ids/0", registeredBy(mark)));

        long epoch = get(registration(connect(), Role.BROKER, 0, Duration.ZERO).start());

        assertThat(epoch).isGreaterThan(left.czxid());
    }

    @Test
    void processThatIsOnlyStoppedKeepsItsPlace() throws Exception {
        var process = new ProcessBuilder("sleep", "600").start();
        try {
            var mark = markOf(process);
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor()).isZero();
            get(prepared().createEphemeral("/brokers/ids/0", registeredBy(mark)));

            assertThat(registration(connect(), Role.BROKER, 0, Duration.ofSeconds(1)).start()).failsWithin(PATIENCE);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void processOfAnotherMachineKeepsItsPlace() {
        var mark = new ProcessMark("another", 1, 1);
        get(prepared().createEphemeral("/brokers/ids/0", registeredBy(mark)));

        assertThat(registration(connect(), Role.BROKER, 0, Duration.ofSeconds(1)).start()).failsWithin(PATIENCE);
    }

    private Znodes prepared() {
        var znodes = connect();
        get(znodes.ensure("/brokers/ids"));
        return znodes;
    }

    private static ProcessMark markOf(Process process) throws Exception {
        var self = ProcessMark.self().orElseThrow();
        var stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        long start = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
        return new ProcessMark(self.machine(), process.pid(), start);
    }

    private static String registeredBy(ProcessMark mark) {
        return Registrations.json(new NodeDescription(Role.BROKER, 0, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT",
                "localhost", 9092)), null, null, "1.0"), 0, Optional.of(mark), "a");
    }

    private static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
}
