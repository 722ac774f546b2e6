package io.millrace.bench.controller;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import io.millrace.service.subscription.ZnodeActiveController;

/// Takes the figures of `bench/controller`, and prints them as a table in Markdown.
final class ControllerBench {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PARTITIONS_A_TOPIC = 10_000;
    private static final int DELTAS = 400;
    private static final Duration STALL = Duration.ofMillis(1_800);
    private static final int REPLICAS = 3;

    private final Options options;
    private final Processes processes;
    private final Znodes znodes;
    private final Nodes nodes;
    private final ControllerClient controller;
    private int topics;
    private int partitions;

    private record Options(int nodes, int partitions, int rounds, int heapMegabytes) {
        static Options of(String[] arguments) {
            var values = new HashMap<String, Integer>();
            for (int index = 0; index + 1 < arguments.length; index += 2) {
                values.put(arguments[index], Integer.parseInt(arguments[index + 1]));
            }
            return new Options(values.getOrDefault("--nodes", 50), values.getOrDefault("--partitions", 100_000), values
                    .getOrDefault("--rounds", 3), values.getOrDefault("--heap-mb", 1_024));
        }
    }

    private ControllerBench(Options options, Processes processes, Znodes znodes, Nodes nodes,
            ControllerClient controller) {
        this.options = options;
        this.processes = processes;
        this.znodes = znodes;
        this.nodes = nodes;
        this.controller = controller;
    }

    public static void main(String[] arguments) throws Exception {
        var options = Options.of(arguments);
        var folder = Files.createTempDirectory("controller-bench");
        System.out.println("| what | figure |\n|---|---|");
        try (var processes = new Processes(folder, options.heapMegabytes());
                var znodes = Znodes.connect(new ZooKeeperConfig(processes.zooKeeper(), Duration.ofSeconds(30),
                        PATIENCE),
                        new SimpleMeterRegistry());
                var loop = new SingleThreadLoop("locator");
                var locator = new ZnodeActiveController(znodes, loop);
                var controller = ControllerClient.create(locator, ObservationRegistry.NOOP);
                var nodes = new Nodes(znodes)) {
            new ControllerBench(options, processes, znodes, nodes, controller).run();
        } finally {
            delete(folder);
        }
        System.exit(0);
    }

    private void run() throws Exception {
        processes.startController(0);
        processes.startController(1);
        await("a controller", () -> active() >= 0);
        // As many as there are replicas hold all of it in this process; the others join for the deltas.
        for (int id = 0; id < REPLICAS + 1; id++) {
            nodes.add(id);
        }
        create(1);
        takeOvers(1_000);
        takeOvers(10_000);
        takeOvers(options.partitions());
        deltas();
    }

    private void takeOvers(int partitions) throws Exception {
        long start = System.nanoTime();
        int before = topics;
        fillUp(partitions);
        if (topics > before) {
            print("create up to %,d partitions, %d replicas".formatted(partitions, REPLICAS), millis(start) + " ms");
        }
        print("heap of the controller at %,d partitions".formatted(partitions), processes.heapMegabytes(active())
                + " MiB");
        var joining = nodes.all().size();
        start = System.nanoTime();
        var node = nodes.add(joining);
        await("a snapshot", () -> node.topics() == topics);
        print("first snapshot of a node at %,d partitions".formatted(partitions), millis(start) + " ms");
        var took = new ArrayList<Long>();
        for (int round = 0; round < options.rounds(); round++) {
            int active = active();
            startStandby(active == 0 ? 1 : 0);
            long killed = System.nanoTime();
            processes.kill(active);
            create(1);
            took.add(millis(killed));
        }
        print("takeover after kill -9 at %,d partitions, until a topic is created".formatted(partitions), took + " ms");
    }

    private void startStandby(int id) throws Exception {
        if (processes.isRunning(id)) {
            return;
        }
        long before = processes.warmths(id);
        processes.startController(id);
        long start = System.nanoTime();
        while (processes.warmths(id) == before) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new TimeoutException("waited in vain for a warm standby");
            }
            Thread.sleep(100);
        }
    }

    private void fillUp(int wanted) throws Exception {
        while (partitions < wanted) {
            create(Math.min(PARTITIONS_A_TOPIC, wanted - partitions));
        }
    }

    private void create(int count) throws Exception {
        var wanted = new NewTopic("t" + topics, count, Math.min(REPLICAS, nodes.all().size()), Map.of(), Map.of());
        while (true) {
            var outcome = controller.send(new CreateTopics(List.of(wanted), false, PATIENCE.toMillis()), PATIENCE)
                    .get()
                    .topics()
                    .getFirst();
            if (outcome.succeeded() || outcome.errorCode() == 36) {
                break;
            }
            Thread.sleep(20);
        }
        topics++;
        partitions += count;
    }

    private void deltas() throws Exception {
        while (nodes.all().size() < options.nodes()) {
            var node = nodes.add(nodes.all().size());
            await("a snapshot", () -> node.topics() == topics);
        }
        var last = new AtomicLong();
        var left = new AtomicInteger();
        nodes.onConfig((_, nanos) -> {
            last.accumulateAndGet(nanos, Math::max);
            left.decrementAndGet();
        });
        var took = new ArrayList<Long>();
        for (int index = 0; index < DELTAS; index++) {
            took.add(change(index, left, last));
        }
        print("a change, from the command to the last of %d nodes: p50, p99, most".formatted(options.nodes()),
                quantiles(
                        took.subList(DELTAS / 4, DELTAS)));
        try (var stalled = processes.stalledNode(options.nodes())) {
            stalled.stop();
            took.clear();
            // As long as its silence is not noticed it counts as one that is to be told.
            long start = System.nanoTime();
            while (System.nanoTime() - start < STALL.toNanos()) {
                took.add(change(DELTAS + took.size(), left, last));
            }
        }
        print("the same while another node is stopped, for %.1f s: p50, p99, most".formatted(STALL.toMillis() / 1e3),
                quantiles(took));
    }

    /// @return nanoseconds until the last node has seen it; the command's own answer may come later
    private long change(int number, AtomicInteger left, AtomicLong last) throws Exception {
        left.set(options.nodes());
        last.set(0);
        long start = System.nanoTime();
        var command = new AlterConfigs(List.of(new ConfigAlteration(ConfigResource.topic("t0"), List.of(new Op(
                "retention.ms", Integer.toString(1_000 + number), OpType.SET)))), false, false);
        var answer = controller.send(command, PATIENCE);
        await("all nodes", () -> left.get() <= 0 || answer.isCompletedExceptionally());
        if (answer.isCompletedExceptionally()) {
            answer.join();
        }
        return last.get() - start;
    }

    private static String quantiles(List<Long> nanos) {
        var micros = nanos.stream().mapToLong(each -> each / 1_000).sorted().toArray();
        return "%.1f ms, %.1f ms, %.1f ms".formatted(micros[micros.length / 2] / 1e3, micros[micros.length * 99 / 100]
                / 1e3, micros[micros.length - 1] / 1e3);
    }

    private int active() {
        return znodes.read(Paths.CONTROLLER).join().map(node -> ControllerNode.parse(node.data()).id()).orElse(-1);
    }

    static void await(String what, BooleanSupplier condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new TimeoutException("waited in vain for " + what);
            }
            Thread.sleep(1);
        }
    }

    private static long millis(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static void print(String what, String figure) {
        System.out.println("| " + what + " | " + figure + " |");
    }

    private static void delete(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
