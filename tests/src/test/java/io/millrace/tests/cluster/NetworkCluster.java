package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.millrace.admin.AdminApplication;
import io.millrace.broker.BrokerApplication;
import io.millrace.controller.ControllerApplication;
import io.millrace.coordinator.CoordinatorApplication;
import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Ports;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.plan.ServiceArguments;
import io.millrace.standalone.zookeeper.ZooKeeperProcess;
import io.millrace.tests.network.Host;
import io.millrace.tests.network.Network;
import io.millrace.tests.program.Home;
import io.millrace.tests.program.Program;

/// A cluster with a host for each service, so that the network between any two of them can be cut. Clients are this
/// process, which reaches every host always.
final class NetworkCluster implements Services, AutoCloseable {

    private static final Path DISTRIBUTION = Home.root().resolve("standalone/target/dist");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CONNECT_MILLIS = 1_000;
    private static final String ZOOKEEPER = "zookeeper";

    private final Network network = Network.create();
    private final ClusterPlan plan;
    private final Path folder;
    private final Map<String, Host> hosts = new HashMap<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final Thread abort = Thread.ofPlatform().unstarted(this::end);

    /// The same with one coordinator.
    NetworkCluster(String name, int controllers, int brokers, Map<String, String> settings) {
        this(name, controllers, brokers, 1, settings);
    }

    /// Starts it; when this returns, all services call themselves ready.
    NetworkCluster(String name, int controllers, int brokers, int coordinators, Map<String, String> settings) {
        this.plan = new ClusterPlan(Mode.CLUSTER, controllers, brokers, coordinators, Ports.DEFAULT_BASE, settings);
        this.folder = folder(name);
        Runtime.getRuntime().addShutdownHook(abort);
        for (Role role : List.of(Role.ZOOKEEPER, Role.CONTROLLER, Role.BROKER, Role.COORDINATOR)) {
            plan.instances(role).forEach(this::launch);
            plan.instances(role).forEach(this::awaitReady);
        }
    }

    /// Where the data of a cluster of that name are.
    static Path folder(String name) {
        return Home.tests("target", "clusters", name + "-" + ProcessHandle.current().pid());
    }

    /// Where a service runs.
    Host host(String role, int id) {
        return Objects.requireNonNull(hosts.get(instance(role, id).name()));
    }

    /// The hosts of all services but that one.
    List<Host> othersThan(String role, int id) {
        return hosts.values().stream().filter(it -> !it.equals(host(role, id))).toList();
    }

    /// The cables.
    Network network() {
        return network;
    }

    @Override
    public String bootstrap() {
        return plan.instances(Role.BROKER).stream().map(it -> host("broker", it.id()).address() + ":" + it.port())
                .collect(Collectors.joining(","));
    }

    private Instance instance(String role, int id) {
        return plan.instance(Role.labelled(role).orElseThrow(), id).orElseThrow();
    }

    private void launch(Instance instance) {
        Host host = hosts.computeIfAbsent(instance.name(), network::host);
        if (instance.role() == Role.ZOOKEEPER) {
            network.name(ZOOKEEPER, host);
        }
        try {
            Files.createDirectories(folder.resolve("logs"));
            File log = folder.resolve("logs").resolve(instance.name() + ".log").toFile();
            processes.put(instance.name(), new ProcessBuilder(host.command(command(instance, host)))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log)).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(Instance instance, Host host) {
        var command = new ArrayList<>(List.of(Home.java(), "-Xmx256m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1", "-Dsun.net.inetaddr.ttl=1"));
        command.addAll(startUpCache());
        command.addAll(List.of("-cp", classPath(), main(instance.role())));
        for (String argument : ServiceArguments.of(plan, instance, folder)) {
            boolean connects = argument.startsWith("--kafka.zookeeper.connect=");
            command.add(argument.replace(ClusterPlan.HOST, connects ? ZOOKEEPER : host.address()));
        }
        return command;
    }

    /// The one that `bin/millrace up` makes, where it has done so; it fits to the options above and to the class path below.
    private static List<String> startUpCache() {
        Path cache = DISTRIBUTION.resolve("millrace.aot");
        return Files.exists(cache) ? List.of("-XX:AOTCache=" + cache) : List.of();
    }

    private static String classPath() {
        try (var jars = Files.list(DISTRIBUTION.resolve("lib"))) {
            return jars.map(Path::toString).filter(it -> it.endsWith(".jar")).sorted().collect(Collectors.joining(":"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String main(Role role) {
        Class<?> main = switch (role) {
            case ZOOKEEPER -> ZooKeeperProcess.class;
            case CONTROLLER -> ControllerApplication.class;
            case BROKER -> BrokerApplication.class;
            case COORDINATOR -> CoordinatorApplication.class;
            case ADMIN -> AdminApplication.class;
        };
        return main.getName();
    }

    private void awaitReady(Instance instance) {
        Process process = process(instance.role().label(), instance.id());
        await().atMost(LIMIT).until(() -> {
            assertThat(process.isAlive()).as("%s runs; logs in %s", instance.name(), folder).isTrue();
            return isReady(instance);
        });
    }

    private boolean isReady(Instance instance) {
        String address = host(instance.role().label(), instance.id()).address();
        Integer http = instance.httpPort();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, Objects.requireNonNull(http == null
                    ? instance.port()
                    : http)),
                    CONNECT_MILLIS);
            return http == null
                    || Scrape.answer("http://" + address + ":" + http + "/actuator/health/readiness")
                            .statusCode() == 200;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private Process process(String role, int id) {
        return Objects.requireNonNull(processes.get(instance(role, id).name()));
    }

    @Override
    public void kill(String role, int id) {
        process(role, id).destroyForcibly();
        awaitEnd(role, id);
    }

    @Override
    public void stop(String role, int id) {
        signal(role, id, "STOP");
    }

    @Override
    public void resume(String role, int id) {
        signal(role, id, "CONT");
    }

    @Override
    public void terminate(String role, int id) {
        process(role, id).destroy();
        awaitEnd(role, id);
    }

    private void awaitEnd(String role, int id) {
        await().atMost(LIMIT).until(() -> !process(role, id).isAlive());
    }

    /// What the process of a service ended with, which it does in time.
    int exitCode(String role, int id) {
        awaitEnd(role, id);
        return process(role, id).exitValue();
    }

    private void signal(String role, int id, String signal) {
        Program.of(List.of("bash", "-c", "kill -" + signal + " " + process(role, id).pid())).run().succeeded();
    }

    /// Starts a service again, and waits for nothing.
    void launch(String role, int id) {
        launch(instance(role, id));
    }

    /// Starts ZooKeeper, which has ended, on a new host, where it is found by the name that it had.
    void startZooKeeperElsewhere() {
        hosts.put(instance(ZOOKEEPER, 0).name(), network.host("another-" + ZOOKEEPER));
        start(ZOOKEEPER, 0);
    }

    /// Returns once a service that was launched calls itself ready.
    void awaitReady(String role, int id) {
        awaitReady(instance(role, id));
    }

    /// The process of a service.
    long pid(String role, int id) {
        return process(role, id).pid();
    }

    /// Starts what has ended by itself: a service that finds no ZooKeeper at its start gives up, and whoever supervises it
    /// tries again.
    void revive() {
        plan.instances().stream().filter(it -> processes.containsKey(it.name()) && !Objects.requireNonNull(processes
                .get(it.name())).isAlive()).forEach(this::launch);
    }

    @Override
    public void start(String role, int id) {
        launch(role, id);
        awaitReady(instance(role, id));
    }

    @Override
    public int activeController() {
        return plan.instances(Role.CONTROLLER).stream().map(Instance::id)
                .filter(it -> process("controller", it).isAlive() && isActiveController(it)).findFirst()
                .orElseThrow(() -> new AssertionError("no controller is active"));
    }

    /// Whether the controller says that it is in office.
    boolean isActiveController(int id) {
        return Scrape.isActiveController("http://" + host("controller", id).address() + ":"
                + instance("controller", id).httpPort());
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(abort);
        end();
    }

    private void end() {
        processes.values().forEach(Process::destroyForcibly);
        network.close();
        Data.remove(folder);
    }
}
