package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.Load;
import io.millrace.tests.program.DumpedLogs;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of a broker that is a process: logs move to another directory under load, the offsets of groups are compacted
/// while coordinators and the broker are killed, and Kafka's own tool reads all that is left.
class StorageIT {
    private static final String TOPIC = "moved";
    private static final int PARTITIONS = 6;
    private static final int GROUPS = 6;

    @TempDir
    private Path folder;

    @Tag("long")
    @Test
    void logsThatMoveAndOffsetsThatAreCompactedAreWhatTheyWereAndReadByKafkasTool() {
        try (var cluster = Cluster.of("storage", List.of("--mode", "cluster", "--coordinators", "2", "--set",
                "broker-0:kafka.log.dirs=" + directory("a") + "," + directory("b"), "--set",
                "kafka.log.segment.bytes=500000", "--set", "kafka.offsets.topic.num.partitions=2", "--set",
                "kafka.offsets.topic.segment.bytes=4096", "--set", "kafka.log.cleaner.backoff.ms=100", "--set",
                "kafka.log.cleaner.min.cleanable.ratio=0.01")).up()) {
            var kafka = new Kafka(cluster.bootstrap());
            try (var load = Load.start(kafka, TOPIC, 1)) {
                load.awaitProgress();
                move(kafka, directory("b"));
                load.awaitProgress();
                var report = load.finish();
                assertThat(report.violations()).as(report.text()).isEmpty();
                assertThat(load.failures()).isEmpty();
            }
            commitWhileTheyAreKilled(cluster, kafka);
            cluster.down();
            var files = DumpedLogs.below(folder);
            assertThat(files.size()).isGreaterThan(3 * PARTITIONS);
            files.areReadWithoutComplaintBy(KafkaRelease.KAFKA_3_9);
            files.areReadWithoutComplaintBy(KafkaRelease.KAFKA_4_4);
        }
    }

    private Path directory(String name) {
        return folder.resolve(name);
    }

    /// Those that lie there already stay.
    private void move(Kafka kafka, Path to) {
        var tool = KafkaRelease.KAFKA_3_9.reassignPartitions().with("--bootstrap-server", kafka.bootstrap(),
                "--reassignment-json-file", plan(to));
        assertThat(tool.with("--execute").run().succeeded().out()).contains("Successfully started moving log directory "
                + "to " + to + " for replica " + TOPIC + "-0 with broker 0");
        var partitions = IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition(TOPIC, i)).toList();
        await().atMost(Kafka.LIMIT).untilAsserted(() -> {
            assertThat(placed(kafka, to)).containsAll(partitions);
            assertThat(to.resolve(TOPIC + "-0")).isDirectory();
        });
        assertThat(tool.with("--verify").run().succeeded().out()).contains(partitions.stream().map(
                it -> "Reassignment of replica " + it + "-0 completed successfully.").toList());
        var told = KafkaRelease.KAFKA_3_9.logDirs().with("--bootstrap-server", kafka.bootstrap(), "--describe",
                "--topic-list", TOPIC).run().succeeded().out();
        // Each directory's name comes behind its partitions.
        var upToIt = told.substring(0, told.indexOf("\"logDir\":\"" + to + "\""));
        assertThat(upToIt.substring(upToIt.lastIndexOf("\"logDir\"") + 1)).contains(partitions.stream().map(
                it -> "\"" + it + "\"").toList()).doesNotContain("\"isFuture\":true");
    }

    /// Of which no copy is on its way elsewhere.
    private static Set<TopicPartition> placed(Kafka kafka, Path directory) {
        try (var admin = kafka.admin()) {
            var directories = Objects.requireNonNull(Kafka.await(admin.describeLogDirs(List.of(0)).allDescriptions())
                    .get(
                            0));
            return Objects.requireNonNull(directories.get(directory.toString())).replicaInfos().entrySet().stream()
                    .filter(it -> !it.getValue().isFuture()).map(Map.Entry::getKey).collect(Collectors.toSet());
        }
    }

    private String plan(Path to) {
        var partitions = IntStream.range(0, PARTITIONS).mapToObj(
                i -> "{\"topic\":\"%s\",\"partition\":%d,\"replicas\":[0],"
                        .formatted(TOPIC, i) + "\"log_dirs\":[\"" + to + "\"]}").collect(Collectors.joining(","));
        try {
            return Files.writeString(folder.resolve("plan.json"), "{\"version\":1,\"partitions\":[" + partitions + "]}")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void commitWhileTheyAreKilled(Cluster cluster, Kafka kafka) {
        var http = Objects.requireNonNull(cluster.status().service("broker", 0).http());
        var committers = IntStream.range(0, GROUPS).mapToObj(i -> new Committer(kafka, "stored-" + i, TOPIC)).toList();
        try {
            awaitCleansAndCommits(http, committers);
            for (int coordinator : List.of(1000, 1001)) {
                cluster.kill("coordinator", coordinator);
                awaitCleansAndCommits(http, committers);
                cluster.start("coordinator", coordinator);
            }
            cluster.kill("broker", 0);
            cluster.start("broker", 0);
            awaitCleansAndCommits(http, committers);
        } finally {
            committers.forEach(Committer::close);
        }
        assertThat(committers).allSatisfy(committer -> assertThat(committer.committedAtLast()).isEqualTo(committer
                .acknowledged()));
    }

    /// Until the cleaner has been there twice more, and every group has committed again.
    private static void awaitCleansAndCommits(String http, List<Committer> committers) {
        double cleans = cleans(http);
        var before = committers.stream().map(Committer::acknowledged).toList();
        await().atMost(Kafka.LIMIT).untilAsserted(() -> {
            assertThat(IntStream.range(0, GROUPS)).allMatch(i -> committers.get(i).acknowledged() > before.get(i) + 5);
            assertThat(cleans(http)).isGreaterThanOrEqualTo(cleans + 2);
        });
    }

    private static double cleans(String http) {
        return Scrape.sum(Stream.of(http), "millrace_log_cleaner_cleaned_total");
    }
}
