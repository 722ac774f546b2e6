package io.millrace.bench.transactions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

import io.millrace.bench.produce.Cpu;
import io.millrace.bench.report.Options;
import io.millrace.bench.report.Table;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// The command line:
///
///     --replicas N [--rounds N] [--seconds N] [--warm-up SECONDS] [--rate N] [--ids N] [--open N] [--tsv FILE]
///       --cluster NAME BOOTSTRAP PIDS COORDINATOR-PIDS KILL-COMMAND [--cluster …]
///
/// Clusters are measured by turns. Small transactions are 100 records of 1 KiB over three partitions by one producer, which
/// commits them as fast as it can, and then at a rate that is the same for all, since how long a commit takes can be compared
/// under the same load only; ids in turn are as many producers of which one after the other commits a transaction of one record. Where a command kills a
/// coordinator, that comes last.
public final class TransactionsBench {
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 100;

    private final Options options;
    private final int replicas;
    private final Table figures = new Table();
    private int topics;

    private TransactionsBench(Options options) {
        this.options = options;
        replicas = options.number("--replicas", 1);
    }

    /// Prints a row of a table for each figure of each cluster.
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var options = new Options(arguments, 5);
        var clusters = options.clusters(Cluster::of);
        var bench = new TransactionsBench(options);
        bench.measure(clusters);
        bench.figures.print(options.text("--tsv", ""));
    }

    private void measure(List<Cluster> clusters) throws IOException, InterruptedException, ExecutionException {
        var time = Duration.ofSeconds(options.number("--seconds", 5));
        for (var cluster : clusters) {
            small(cluster, Duration.ofSeconds(options.number("--warm-up", 10)), 0, false);
        }
        for (int round = 0; round < options.number("--rounds", 3); round++) {
            for (var cluster : clusters) {
                small(cluster, time, 0, true);
            }
            int rate = options.number("--rate", 0);
            for (var cluster : rate == 0 ? List.<Cluster>of() : clusters) {
                small(cluster, time, rate, true);
            }
        }
        int ids = options.number("--ids", 0);
        for (var cluster : ids == 0 ? List.<Cluster>of() : clusters) {
            inTurn(cluster, ids);
        }
        int open = options.number("--open", 0);
        for (var cluster : open == 0 ? List.<Cluster>of() : clusters) {
            if (cluster.kill().isEmpty()) {
                System.err.printf("%s: nothing is said of how to kill its coordinator%n", cluster.name());
                continue;
            }
            var topic = topic(cluster);
            add(cluster, "coordinator killed, %d open transactions".formatted(open), "all resolved, s",
                    new KilledCoordinator(cluster, topic, PARTITIONS, open).seconds());
        }
    }

    private String topic(Cluster cluster) throws InterruptedException, ExecutionException {
        var topic = "transactions-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + topics++;
        cluster.create(topic, PARTITIONS, replicas);
        return topic;
    }

    /// @param rate transactions a second; 0 for as many as there can be
    private void small(Cluster cluster, Duration time, int rate, boolean counts) throws InterruptedException,
            ExecutionException {
        var topic = topic(cluster);
        var commits = new ArrayList<Double>();
        try (var producer = cluster.producer(topic)) {
            transact(producer, topic, RECORDS);
            double cpu = Cpu.seconds(cluster.pids());
            long start = System.nanoTime();
            while (System.nanoTime() - start < time.toNanos()) {
                commits.add(transact(producer, topic, RECORDS));
                if (rate > 0) {
                    LockSupport.parkNanos(start + commits.size() * 1_000_000_000L / rate - System.nanoTime());
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = Cpu.seconds(cluster.pids()) - cpu;
            if (counts) {
                var scenario = "100 records over 3 partitions" + (rate > 0 ? " at %d/s".formatted(rate) : "");
                add(cluster, scenario, "transactions/s", commits.size() / seconds);
                commits.sort(null);
                add(cluster, scenario, "commit p50, ms", commits.get(commits.size() / 2));
                add(cluster, scenario, "commit p99, ms", commits.get(commits.size() * 99 / 100));
                add(cluster, scenario, "servers' CPU, ms a transaction", used * 1_000 / commits.size());
            }
        }
    }

    /// @return milliseconds that the commit took, all records having been acknowledged before
    private static double transact(KafkaProducer<byte[], byte[]> producer, String topic, int records) {
        producer.beginTransaction();
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, new byte[Cluster.RECORD_BYTES]));
        }
        producer.flush();
        long before = System.nanoTime();
        producer.commitTransaction();
        return (System.nanoTime() - before) / 1e6;
    }

    private void inTurn(Cluster cluster, int ids) throws InterruptedException, ExecutionException {
        var topic = topic(cluster);
        var scenario = ids + " transactional ids in turn";
        var producers = new ArrayList<KafkaProducer<byte[], byte[]>>();
        try {
            for (int i = 0; i < ids; i++) {
                producers.add(cluster.producer(topic + "-" + i));
            }
            producers.forEach(producer -> transact(producer, topic, 1));
            double all = Cpu.seconds(cluster.pids());
            double coordinators = Cpu.seconds(cluster.coordinators());
            long start = System.nanoTime();
            producers.forEach(producer -> transact(producer, topic, 1));
            add(cluster, scenario, "transactions/s", ids / ((System.nanoTime() - start) / 1e9));
            add(cluster, scenario, "coordinators' CPU, ms a transaction", (Cpu.seconds(cluster.coordinators())
                    - coordinators) * 1_000 / ids);
            add(cluster, scenario, "servers' CPU, ms a transaction", (Cpu.seconds(cluster.pids()) - all) * 1_000
                    / ids);
        } finally {
            producers.forEach(producer -> producer.close(Duration.ZERO));
        }
    }

    private void add(Cluster cluster, String scenario, String figure, double value) {
        figures.add(cluster.name(), scenario + ", RF " + replicas, figure, value);
    }
}
