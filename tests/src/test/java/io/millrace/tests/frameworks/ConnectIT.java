package io.millrace.tests.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.DisturbsClusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kafka Connect with `exactly.once.source.support` (KIP-618): two workers bring the lines of a file, while they, and what they
/// depend on, are killed and come back, and one that hangs is fenced.
@DisturbsClusters
class ConnectIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String OUTPUT = "connect-lines";
    private static final String CONNECTOR = "lines";
    private static final int LINES = 200;

    @TempDir
    private Path directory;
    private final Cluster cluster;
    private final Kafka kafka;
    private int written;

    ConnectIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void everyLineComesExactlyOnceWhoeverIsKilledOrHangs() {
        kafka.create(new NewTopic(OUTPUT, 1, (short) 3));
        write();
        try (var first = worker(52); var second = worker(53)) {
            var workers = List.of(first, second);
            workers.forEach(ConnectWorker::start);
            await().atMost(LIMIT).ignoreExceptions().untilAsserted(() -> first.configure(CONNECTOR, Map.of(
                    "connector.class", "org.apache.kafka.connect.file.FileStreamSourceConnector", "tasks.max", "1",
                    "exactly.once.support", "required", "file", file().toString(), "topic", OUTPUT)));
            awaitAllLines();

            var killed = worker(workers);
            killed.kill();
            write();
            awaitAllLines();
            killed.start();

            cluster.bounce("coordinator", 1000);
            write();
            cluster.bounce("broker", 1);
            write();
            awaitAllLines();

            var hangs = worker(workers);
            hangs.stop();
            write();
            try {
                awaitAllLines();
            } finally {
                hangs.resume();
            }
            write();
            awaitAllLines();
        }
        assertThat(lines()).isEqualTo(expected());
    }

    private ConnectWorker worker(int port) {
        return new ConnectWorker(directory, cluster.bootstrap(), cluster.portBase() + port);
    }

    /// That which reads the file now.
    private static ConnectWorker worker(List<ConnectWorker> workers) {
        var found = await().atMost(LIMIT).ignoreExceptions().until(() -> workers.getFirst().get("/connectors/"
                + CONNECTOR + "/status").at("/tasks/0"), task -> task.path("state").asString().equals("RUNNING"));
        String address = found.path("worker_id").asString();
        return workers.stream().filter(it -> it.address().equals(address)).findFirst().orElseThrow();
    }

    private Path file() {
        return directory.resolve("lines");
    }

    private void write() {
        var more = IntStream.range(written, written + LINES).mapToObj(ConnectIT::line).toList();
        try {
            Files.write(file(), more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        written += LINES;
    }

    private static String line(int number) {
        return "line " + number;
    }

    private List<String> expected() {
        return IntStream.range(0, written).mapToObj(ConnectIT::line).toList();
    }

    private void awaitAllLines() {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(lines()).hasSizeGreaterThanOrEqualTo(written));
        assertThat(lines()).isEqualTo(expected());
    }

    private List<String> lines() {
        Stream<ConsumerRecord<String, String>> records = kafka.records(OUTPUT, "read_committed").stream();
        return records.map(ConsumerRecord::value).toList();
    }
}
