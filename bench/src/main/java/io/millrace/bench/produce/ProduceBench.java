package io.millrace.bench.produce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/// The command line:
///
///     [--rounds N] [--seconds N] [--warm-up N] [--tsv FILE] --cluster NAME BOOTSTRAP PID,PID,PID [--cluster …]
///
/// Clusters are measured by turns, each after a warm-up that ends when a gigabyte costs no less than before, or after so many
/// rounds: code that is not compiled yet costs many times what it costs later.
public final class ProduceBench {
    private static final int PARTITIONS = 6;
    private static final short REPLICAS = 3;
    private static final double FIXED_RATE = 10e6;
    private static final double STILL_FALLING = 0.95;
    private static final int LEAST_WARM_UPS = 4;
    private static final String SCENARIO = "produce 1 KiB, acks=all, 3 replicas";

    private final Duration time;
    private final Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();
    private int topics;

    private record Cluster(String name, String bootstrap, List<Long> pids) {}

    private ProduceBench(Duration time) {
        this.time = time;
    }

    /// Prints a row of a table for each figure of each cluster.
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        int rounds = 3;
        int seconds = 5;
        int warmUps = 12;
        Optional<Path> tsv = Optional.empty();
        var clusters = new ArrayList<Cluster>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--rounds" -> rounds = Integer.parseInt(arguments[++i]);
                case "--seconds" -> seconds = Integer.parseInt(arguments[++i]);
                case "--warm-up" -> warmUps = Integer.parseInt(arguments[++i]);
                case "--tsv" -> tsv = Optional.of(Path.of(arguments[++i]));
                case "--cluster" -> clusters.add(new Cluster(arguments[++i], arguments[++i], Arrays.stream(
                        arguments[++i].split(",", -1)).map(Long::valueOf).toList()));
                default -> throw new IllegalArgumentException("unknown: " + arguments[i]);
            }
        }
        var bench = new ProduceBench(Duration.ofSeconds(seconds));
        for (var cluster : clusters) {
            bench.warmUp(cluster, warmUps);
        }
        for (int round = 0; round < rounds; round++) {
            for (var cluster : clusters) {
                bench.measure(cluster);
            }
        }
        bench.print(tsv);
    }

    private interface Work {
        void run(Load load);
    }

    /// A topic of its own for each, so that what lies on the disk stays little.
    private void inTopic(Cluster cluster, Work work) throws InterruptedException, ExecutionException {
        String topic = "produce-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + topics++;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, REPLICAS).configs(Map.of("min.insync.replicas",
                    "2", "file.delete.delay.ms", "1000")))).all().get();
            try (var load = new Load(cluster.bootstrap(), topic)) {
                load.run(Duration.ofMillis(300), FIXED_RATE);
                work.run(load);
            }
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    private void warmUp(Cluster cluster, int most) throws InterruptedException, ExecutionException {
        var costs = new ArrayList<Double>();
        boolean falling = true;
        while (falling && costs.size() < most) {
            inTopic(cluster, load -> costs.add(costOf(cluster, load)));
            int count = costs.size();
            falling = count < LEAST_WARM_UPS || costs.get(count - 1) < STILL_FALLING * costs.get(count - 2) || costs
                    .get(
                            count - 2) < STILL_FALLING * costs.get(count - 3);
        }
        System.err.printf(Locale.ROOT, "%s, warm-up, CPU s/GB:%s%n", cluster.name(), costs.stream().reduce("", (text,
                cost) -> text + String.format(Locale.ROOT, " %.1f", cost), String::concat));
    }

    private double costOf(Cluster cluster, Load load) {
        double before = Cpu.seconds(cluster.pids());
        var outcome = load.run(time, 0);
        return (Cpu.seconds(cluster.pids()) - before) / outcome.gigabytes();
    }

    private void measure(Cluster cluster) throws InterruptedException, ExecutionException {
        inTopic(cluster, load -> {
            double before = Cpu.seconds(cluster.pids());
            var fast = load.run(time, 0);
            add(cluster, "throughput, MB/s", fast.megabytesPerSecond());
            add(cluster, "cluster's CPU, s/GB", (Cpu.seconds(cluster.pids()) - before) / fast.gigabytes());
        });
        inTopic(cluster, load -> {
            double before = Cpu.seconds(cluster.pids());
            var steady = load.run(time, FIXED_RATE);
            add(cluster, "at 10 MB/s: p50, ms", steady.waits().millisAt(0.5));
            add(cluster, "at 10 MB/s: p99, ms", steady.waits().millisAt(0.99));
            add(cluster, "at 10 MB/s: p99.9, ms", steady.waits().millisAt(0.999));
            add(cluster, "at 10 MB/s: cluster's CPU, s/GB", (Cpu.seconds(cluster.pids()) - before) / steady
                    .gigabytes());
        });
    }

    private void add(Cluster cluster, String figure, double value) {
        figures.computeIfAbsent(cluster.name(), _ -> new LinkedHashMap<>()).computeIfAbsent(figure,
                _ -> new ArrayList<>()).add(value);
    }

    private void print(Optional<Path> tsv) throws IOException {
        var lines = new StringBuilder();
        figures.forEach((cluster, all) -> all.forEach((figure, values) -> {
            double[] sorted = values.stream().mapToDouble(it -> it).sorted().toArray();
            lines.append(String.format(Locale.ROOT, "%s\t%s\t%s\t%.1f\t%.1f\t%.1f%n", cluster, SCENARIO, figure,
                    sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]));
        }));
        System.out.print(lines);
        if (tsv.isPresent()) {
            Files.writeString(tsv.get(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
