package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.service.lifecycle.StartRefused;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of the partitions on a broker as topics come, change and go, also while it is away.
class TopicLifeIT {
    @TempDir
    Path directory;
    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void topicsLogsAreThereOnceTheMetadataAreApplied() throws Exception {
        broker.create("t", 3, Map.of());

        assertThat(names()).contains("t-0", "t-1", "t-2");
        assertThat(broker.meters().get("kafka.server.replicamanager.partitioncount").gauge().value()).isEqualTo(3);
        assertThat(broker.meters().get("kafka.server.replicamanager.leadercount").gauge().value()).isEqualTo(3);
    }

    @Test
    void deletedTopicsLogsAndSeriesGo() throws Exception {
        broker.create("t", 2, Map.of());
        assertThat(broker.meters().scrape()).contains("kafka_log_log_size{partition=\"1\",topic=\"t\"} 0.0");

        broker.delete("t");

        assertThat(names()).doesNotContain("t-0", "t-1").anyMatch(name -> name.startsWith("t-0.") && name.endsWith(
                "-delete"));
        assertThat(broker.meters().scrape()).doesNotContain("kafka_log_log_size");
        assertThat(broker.meters().find("kafka.server.brokertopicmetrics.bytesin").tag("topic", "t").counter())
                .isNull();
    }

    @Test
    void logOfATopicDeletedWhileTheBrokerWasAwayGoesAtItsReturn() throws Exception {
        broker.create("t");
        broker.create("kept");
        broker.stop();
        broker.forget("t");

        broker.start();

        assertThat(names()).contains("kept-0").doesNotContain("t-0");
    }

    @Test
    void imageOlderThanTheRegistrationOfTheBrokerDoesNotSayThatATopicIsGone() throws Exception {
        broker.create("t");
        produce();
        broker.create("deleted");
        broker.stop();
        broker.forget("deleted");

        broker.startBehind("t", () -> assertThat(names()).contains("t-0", "deleted-0"));

        assertThat(highWatermark()).isEqualTo(1);
        assertThat(names()).contains("t-0").doesNotContain("deleted-0");
    }

    @Test
    void topicMadeAnewWhileTheBrokerWasAwayBeginsEmpty() throws Exception {
        broker.create("t");
        produce();
        broker.stop();
        broker.forget("t");
        broker.remember("t");

        broker.start();

        assertThat(highWatermark()).isZero();
        produce();
        assertThat(highWatermark()).isEqualTo(1);
    }

    @Test
    void topicMadeAnewInOneImageBeginsEmpty() throws Exception {
        broker.create("t");
        produce();

        broker.create("t");

        assertThat(highWatermark()).isZero();
    }

    @Test
    void partitionThatMovesAwayIsDeletedHere() throws Exception {
        broker.create("t");

        broker.put("t", TestBroker.elsewhere(0, 1));

        assertThat(names()).doesNotContain("t-0");
    }

    @Test
    void logsOfATopicThatTheControllerCannotReadStay() throws Exception {
        broker.create("t");
        produce();

        broker.becomeUnreadable("t");
        broker.restart();

        assertThat(names()).contains("t-0");
        broker.put("t", TestBroker.leading(0, 1, List.of(1), List.of(1)));
        assertThat(highWatermark()).isEqualTo(1);
    }

    @Test
    void logOutlivesAProcessThatWasKilled(@TempDir Path copy) throws Exception {
        broker.create("t");
        produce();
        copy(directory, copy);

        try (var other = TestBroker.like(broker, copy); var client = other.connect()) {
            assertThat(client.call(Batches.fetch("t", 0, 0), new FetchResponseData(), 12).responses().getFirst()
                    .partitions()
                    .getFirst()
                    .highWatermark()).isEqualTo(1);
        }
    }

    @Test
    void directoryInUseRefusesTheStart() {
        assertThatThrownBy(() -> TestBroker.in(directory).close()).isInstanceOf(StartRefused.class)
                .hasMessageContaining("kafka.log.dirs")
                .hasMessageContaining(directory.getFileName().toString());
    }

    @Test
    void directoryOfAnotherBrokerRefusesTheStart() throws Exception {
        broker.stop();
        var properties = directory.resolve("meta.properties");
        Files.writeString(properties, Files.readString(properties).replace("broker.id=1", "broker.id=7"));

        assertThatThrownBy(() -> broker.start()).isInstanceOf(StartRefused.class).hasMessageContaining("7");
    }

    @Test
    void directoryOfAnotherClusterRefusesTheStart() throws Exception {
        broker.stop();
        var properties = directory.resolve("meta.properties");
        Files.writeString(properties, Files.readString(properties).replaceAll("cluster.id=.*", "cluster.id=other"));

        assertThatThrownBy(() -> broker.start()).isInstanceOf(StartRefused.class).hasMessageContaining("other");
    }

    @Test
    void thousandPartitionsAreOpenedAndOpenedAgain() throws Exception {
        broker.create("many", 1000, Map.of());
        broker.restart();

        assertThat(broker.meters().scrape().lines().filter(line -> line.startsWith("kafka_log_log_logendoffset{")))
                .hasSize(1000);
    }

    private static void copy(Path from, Path to) throws Exception {
        try (var files = Files.walk(from)) {
            for (var file : (Iterable<Path>) files::iterator) {
                var target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private List<String> names() throws Exception {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private void produce() throws Exception {
        try (var client = broker.connect()) {
            var answer = client.call(Batches.produce("t", 0, -1, Batches.batch("v")), new ProduceResponseData(), 12);
            assertThat(answer.responses().iterator().next().partitionResponses().getFirst().errorCode()).isZero();
        }
    }

    private long highWatermark() throws Exception {
        try (var client = broker.connect()) {
            return client.call(Batches.fetch("t", 0, 0), new FetchResponseData(), 12).responses().getFirst()
                    .partitions()
                    .getFirst()
                    .highWatermark();
        }
    }
}
