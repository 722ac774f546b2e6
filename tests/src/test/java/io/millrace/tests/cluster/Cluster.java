package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.millrace.tests.program.Home;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Program.Result;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// A cluster of its own folder and ports, driven by `bin/millrace` alone.
public final class Cluster implements Services, AutoCloseable {

    /// Ports that a cluster may take from its base on.
    private static final int SPAN = 110;

    /// Processes of tests do not live long enough for code that is compiled well to pay: it would take a third of the CPU.
    private static final Map<String, String> SHORT_LIVED = Map.of("MILLRACE_JVM_OPTIONS", "-XX:TieredStopAtLevel=1");

    private final Path data;
    private final int portBase;
    private final List<String> options;
    /// The same through all its lives.
    private volatile @Nullable String bootstrap;
    private final Thread abort = Thread.ofPlatform().unstarted(this::abandon);

    private Cluster(Path data, int portBase, List<String> options) {
        this.data = data;
        this.portBase = portBase;
        this.options = List.copyOf(options);
        Runtime.getRuntime().addShutdownHook(abort);
    }

    /// A cluster that is not started yet.
    ///
    /// @param name of its folder under `target/clusters`
    /// @param options of `up`
    public static Cluster of(String name, List<String> options) {
        Path data = Home.tests("target", "clusters", name + "-" + ProcessHandle.current().pid());
        return new Cluster(data, freePorts(), options);
    }

    /// Below the range from which the kernel takes ports for outgoing connections.
    private static int freePorts() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(15_000, 32_000 - SPAN);
            if (free(base) && free(base + 20) && free(base + 40) && free(base + 50) && free(base + 51)) {
                return base;
            }
        }
    }

    private static boolean free(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /// `bin/millrace COMMAND --data …`.
    public static Result millrace(String... arguments) {
        return Program.of(List.of(Home.root().resolve("bin/millrace").toString())).in(SHORT_LIVED).with(arguments)
                .run();
    }

    /// Runs a command on this cluster's folder.
    public Result run(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data.toString()));
        return millrace(all.toArray(String[]::new));
    }

    /// Starts it, detached, with its own ports and options and some more.
    public Result tryUp(String... more) {
        var up = new ArrayList<>(List.of("up", "--detach", "--port-base", String.valueOf(portBase)));
        up.addAll(options);
        up.addAll(List.of(more));
        return run(up.toArray(String[]::new));
    }

    /// Starts it; when this returns, it serves.
    public Cluster up() {
        tryUp().succeeded();
        return this;
    }

    /// Ends it; its data stay.
    public void down() {
        run("down").succeeded();
    }

    @Override
    public void kill(String role, int id) {
        signal(role, id, "KILL");
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
        signal(role, id, "TERM");
    }

    private void signal(String role, int id, String signal) {
        run("kill", role, String.valueOf(id), "--signal", signal).succeeded();
    }

    @Override
    public void start(String role, int id) {
        run("start", role, String.valueOf(id)).succeeded();
    }

    /// Brings back what does not run.
    void mend() {
        for (var service : status().services()) {
            switch (status().service(service.role(), service.id()).state()) {
                case "down" -> start(service.role(), service.id());
                case "stopped" -> resume(service.role(), service.id());
                default -> {
                }
            }
        }
    }

    @Override
    public int activeController() {
        return status().services().stream().filter(it -> it.role().equals("controller") && it.state().equals("ready"))
                .filter(it -> it.http() != null && Scrape.isActiveController(it.http())).findFirst()
                .orElseThrow(() -> new AssertionError("no controller is active")).id();
    }

    /// What it says of itself.
    public ClusterStatus status() {
        var json = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
        ClusterStatus status = json.readValue(run("status", "--json").succeeded().out(), ClusterStatus.class);
        assertThat(status.services()).isNotEmpty();
        return status;
    }

    @Override
    public String bootstrap() {
        var known = bootstrap;
        if (known == null) {
            known = status().bootstrap();
            bootstrap = known;
        }
        return known;
    }

    /// Its folder.
    public Path data() {
        return data;
    }

    /// The port of its first broker.
    public int portBase() {
        return portBase;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(abort);
        run("down");
        Data.remove(data);
    }

    /// The tests were broken off.
    private void abandon() {
        run("down");
    }
}
