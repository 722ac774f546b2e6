package io.millrace.bench.groups;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.bench.produce.Cpu;
import io.millrace.bench.report.Options;
import io.millrace.bench.report.Table;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/// The command line:
///
///     --replicas N [--cases CASE,CASE…] [--rounds N] [--seconds N] [--warm-up SECONDS] [--tsv FILE]
///       --cluster NAME BOOTSTRAP PIDS KILL STOP START [--cluster …]
///
/// Clusters are measured by turns. Cases: `commits` of one consumer, of ten partitions each; `many`, of 200 groups of which each
/// has one commit under way; `join-20`, `join-200`, and with `-consumer` behind it by the new protocol; `load`, of a shard with
/// 100,000 offsets by the next owner, after a kill; `kill`, with 1,000 groups; `stop`.
public final class GroupsBench {
    private static final String ALL = "commits,many,join-20,join-200,join-20-consumer,join-200-consumer,stop,load,kill";
    private static final int SHARDS = 50;

    private final Options options;
    private final int replicas;
    private final Table figures = new Table();
    private int topics;

    private GroupsBench(Options options) {
        this.options = options;
        replicas = options.number("--replicas", 1);
    }

    /// Prints a row of a table for each figure of each cluster.
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var options = new Options(arguments, 6);
        var clusters = options.clusters(Cluster::of);
        var bench = new GroupsBench(options);
        for (var name : options.text("--cases", ALL).split(",", -1)) {
            bench.measure(name, clusters);
        }
        bench.figures.print(options.text("--tsv", ""));
    }

    private void measure(String name, List<Cluster> clusters) throws IOException, InterruptedException,
            ExecutionException {
        var time = Duration.ofSeconds(options.number("--seconds", 5));
        var warmUp = Duration.ofSeconds(options.number("--warm-up", 10));
        boolean isSteady = name.equals("commits") || name.equals("many");
        for (var cluster : isSteady ? clusters : List.<Cluster>of()) {
            run(name, cluster, warmUp, false);
        }
        for (int round = 0; round < options.number("--rounds", 3); round++) {
            for (var cluster : clusters) {
                run(name, cluster, time, true);
            }
        }
    }

    private void run(String name, Cluster cluster, Duration time, boolean counts) throws IOException,
            InterruptedException, ExecutionException {
        switch (name) {
            case "commits" -> one(cluster, time, counts);
            case "many" -> many(cluster, time, counts);
            case "stop" -> {
                var gaps = new PlannedStop(cluster, topic(cluster, 1)).gaps();
                add(cluster, "a coordinator is asked to end", "longest gap of 10 consumers, ms", gaps.stoppedMillis());
                add(cluster, "a coordinator is asked to end", "the same before, ms", gaps.undisturbedMillis());
            }
            case "load" -> load(cluster);
            case "kill" -> kill(cluster, 1_000);
            case String join when join.startsWith("join-") -> join(cluster, Integer.parseInt(join.split("-", -1)[1]),
                    join.endsWith("-consumer"));
            default -> throw new IllegalArgumentException("there is no case " + name);
        }
    }

    private String topic(Cluster cluster, int partitions) throws InterruptedException, ExecutionException {
        var topic = "groups-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + topics++;
        cluster.create(topic, partitions, replicas);
        return topic;
    }

    private void one(Cluster cluster, Duration time, boolean counts) throws InterruptedException, ExecutionException {
        int partitions = 10;
        var topic = topic(cluster, partitions);
        var commits = new ArrayList<Double>();
        try (var consumer = cluster.consumer(topic, Map.of())) {
            var all = IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
            consumer.assign(all);
            var offsets = new LinkedHashMap<TopicPartition, OffsetAndMetadata>();
            all.forEach(partition -> offsets.put(partition, new OffsetAndMetadata(0)));
            consumer.commitSync(offsets);
            double cpu = Cpu.seconds(cluster.pids());
            long start = System.nanoTime();
            while (System.nanoTime() - start < time.toNanos()) {
                long before = System.nanoTime();
                consumer.commitSync(offsets);
                commits.add((System.nanoTime() - before) / 1e6);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = Cpu.seconds(cluster.pids()) - cpu;
            if (counts) {
                var scenario = "one consumer commits 10 partitions";
                add(cluster, scenario, "commits/s", commits.size() / seconds);
                commits.sort(null);
                add(cluster, scenario, "p50, ms", commits.get(commits.size() / 2));
                add(cluster, scenario, "p99, ms", commits.get(commits.size() * 99 / 100));
                add(cluster, scenario, "servers' CPU, ms a commit", used * 1_000 / commits.size());
            }
        }
    }

    private void many(Cluster cluster, Duration time, boolean counts) throws InterruptedException,
            ExecutionException {
        int count = 200;
        var topic = topic(cluster, 1);
        try (var groups = new RawGroups(cluster, topic, RawGroups.names(topic, count))) {
            groups.each(group -> {
                group.find();
                group.join();
                groups.commit(group, 0);
            });
            var commits = new AtomicLong();
            double cpu = Cpu.seconds(cluster.pids());
            long start = System.nanoTime();
            groups.each(group -> {
                for (long offset = 1; System.nanoTime() - start < time.toNanos(); offset++) {
                    groups.commit(group, offset);
                    commits.incrementAndGet();
                }
            });
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = Cpu.seconds(cluster.pids()) - cpu;
            if (counts) {
                add(cluster, count + " groups commit", "commits/s", commits.get() / seconds);
                add(cluster, count + " groups commit", "servers' CPU, ms a commit", used * 1_000 / commits.get());
            }
        }
    }

    private void join(Cluster cluster, int members, boolean byNewProtocol) throws InterruptedException,
            ExecutionException {
        var topic = topic(cluster, Joins.partitions(members));
        var settings = Map.<String, Object>of("group.protocol", byNewProtocol ? "consumer" : "classic");
        try {
            add(cluster, members + " members join" + (byNewProtocol ? ", new protocol" : ""), "stable, s", new Joins(
                    cluster, topic, members, settings).seconds());
        } catch (IllegalStateException late) {
            System.err.println(late.getMessage());
        }
    }

    private void kill(Cluster cluster, int count) throws IOException, InterruptedException, ExecutionException {
        var topic = topic(cluster, 1);
        try (var groups = new RawGroups(cluster, topic, RawGroups.names(topic, count))) {
            groups.each(group -> {
                group.find();
                group.join();
                groups.commit(group, 1);
            });
            int joined = groups.sum(RawGroup::joins);
            int node = groups.busiest();
            cluster.run(cluster.kill(), node);
            long killed = System.nanoTime();
            groups.each(group -> groups.commit(group, 2));
            add(cluster, "a coordinator is killed, %d groups".formatted(count), "all commit again, s",
                    (System.nanoTime() - killed) / 1e9);
            add(cluster, "a coordinator is killed, %d groups".formatted(count), "members that had to join again",
                    (double) groups.sum(RawGroup::joins) - joined);
            cluster.run(cluster.start(), node);
        }
    }

    private void load(Cluster cluster) throws IOException, InterruptedException, ExecutionException {
        int partitions = 1_000;
        int count = 100;
        var topic = topic(cluster, partitions);
        var ofOneShard = Stream.iterate(0, i -> i + 1).map(i -> topic + "-" + i).filter(name -> (name.hashCode()
                & Integer.MAX_VALUE) % SHARDS == 7).limit(count).toList();
        var every = IntStream.range(0, partitions).boxed().toList();
        try (var groups = new RawGroups(cluster, topic, ofOneShard)) {
            for (var group : groups.all()) {
                group.find();
                groups.commitAll(group, every, 5);
            }
            int node = groups.busiest();
            cluster.run(cluster.kill(), node);
            long killed = System.nanoTime();
            groups.each(group -> {
                if (group.offsets() != partitions) {
                    throw new IllegalStateException("offsets are lost");
                }
            });
            add(cluster, "a coordinator is killed, 100,000 offsets in one shard", "all are told again, s",
                    (System.nanoTime() - killed) / 1e9);
            cluster.run(cluster.start(), node);
        }
    }

    private void add(Cluster cluster, String scenario, String figure, double value) {
        figures.add(cluster.name(), scenario + ", RF " + replicas, figure, value);
    }
}
