package io.millrace.tests.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.DisturbsClusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.Framework;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Flink's Kafka source and its exactly-once sink, with either way to name transactions: jobs copy a topic while they, and what
/// they depend on, are killed. A job comes back from its last checkpoint, and commits from another process, on another
/// connection, what that had prepared.
@DisturbsClusters
class FlinkIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String INPUT = "flink-input";
    private static final int RECORDS = 200;
    private static final int KEYS = 7;

    @TempDir
    private Path directory;
    private final Cluster cluster;
    private final Kafka kafka;
    private final Map<Names, Process> running = new EnumMap<>(Names.class);
    private final Map<String, List<String>> expected = new HashMap<>();
    private int written;

    /// Where the transactional ids of a job come from: from its checkpoints' numbers, or from those that are free, as a list of
    /// the cluster's transactions tells.
    private enum Names {
        INCREMENTING, POOLING;

        String job() {
            return "flink-" + name().toLowerCase(Locale.ROOT);
        }
    }

    FlinkIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void everyRecordIsCopiedExactlyOnceWhoeverIsKilled() {
        kafka.create(new NewTopic(INPUT, 3, (short) 2));
        write();
        for (var names : Names.values()) {
            kafka.create(new NewTopic(names.job(), 2, (short) 3));
            start(names);
        }
        try {
            awaitCopies();
            for (var kill : List.<Runnable>of(this::killJobs, () -> cluster.bounce("coordinator", 1000), this::killJobs,
                    () -> cluster.bounce("broker", 1))) {
                write();
                kill.run();
                write();
            }
            awaitCopies();
        } finally {
            running.values().forEach(Process::destroyForcibly);
        }
    }

    private void killJobs() {
        for (var names : Names.values()) {
            Objects.requireNonNull(running.remove(names)).destroyForcibly().onExit().join();
            start(names);
        }
    }

    private void start(Names names) {
        var checkpoints = directory.resolve(names.job());
        var program = Framework.flinkJob().with(kafka.bootstrap(), names.job(), INPUT, names.job(), names.name(),
                checkpoints.toString());
        var last = lastCheckpoint(checkpoints);
        running.put(names, (last.isEmpty() ? program : program.with(last.get().toString())).start(directory.resolve(
                names
                        .job() + ".log")));
    }

    /// One that is complete: its metadata come last.
    private static Optional<Path> lastCheckpoint(Path checkpoints) {
        if (!Files.exists(checkpoints)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(checkpoints)) {
            return files.filter(it -> it.endsWith("_metadata")).max(Comparator.comparingLong(FlinkIT::written)).map(
                    Path::getParent);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long written(Path file) {
        return file.toFile().lastModified();
    }

    private void write() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < RECORDS; i++) {
            String key = "key" + written % KEYS;
            String record = key + ":" + written++;
            expected.computeIfAbsent(key, _ -> new ArrayList<>()).add(record);
            messages.add(Message.of(key, record));
        }
        kafka.produce(INPUT, Map.of("enable.idempotence", true), messages);
    }

    private void awaitCopies() {
        for (var names : Names.values()) {
            await().atMost(LIMIT).untilAsserted(() -> assertThat(copies(names)).isEqualTo(expected));
        }
    }

    /// All committed records of each key, in their order.
    private Map<String, List<String>> copies(Names names) {
        var found = new HashMap<String, List<String>>();
        kafka.records(names.job(), "read_committed").forEach(record -> found.computeIfAbsent(record.key(),
                _ -> new ArrayList<>()).add(record.value()));
        return found;
    }
}
