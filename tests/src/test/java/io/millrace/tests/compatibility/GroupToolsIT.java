package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Program.Result;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `kafka-consumer-groups` of two ages, unmodified, with all its options. Topics have ten records a partition, five of them a
/// day old.
@UsesClusters
class GroupToolsIT {
    private static final Map<String, Object> CONSUMER = Map.of("group.protocol", "consumer");
    private static final int OLD = 5;
    private static final int ALL = 10;

    private final Kafka kafka;

    @TempDir
    private Path folder;

    GroupToolsIT(Clusters clusters) {
        kafka = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void groupsAreListedAndDescribedInEachWay(KafkaRelease release) throws IOException {
        var classicTopic = topic("classic", release, 2);
        var newTopic = topic("new", release, 1);
        var classic = classicTopic + "-group";
        var fresh = newTopic + "-group";
        var simple = classicTopic + "-simple";
        var tool = tool(release).with("--timeout", "30000", "--command-config", Files.writeString(folder.resolve(
                "client.properties"), "client.id=group-tools\n").toString());
        commit(simple, Map.of(new TopicPartition(classicTopic, 1), 4L));
        try (var one = new Member(kafka, classicTopic); var other = new Member(kafka, newTopic, CONSUMER)) {
            await().atMost(Kafka.LIMIT).until(() -> one.read() == 2 * ALL && other.read() == ALL);

            assertThat(tool.with("--list").run().succeeded().lines()).containsOnlyOnce(classic, fresh, simple);
            assertThat(rows(tool.with("--list", "--state").run().succeeded())).contains(List.of("GROUP", "STATE"),
                    List.of(classic, "Stable"), List.of(fresh, "Stable"), List.of(simple, "Empty"));
            assertThat(rows(tool.with("--list", "--state", "stable,preparingrebalance", "--type", "classic").run()
                    .succeeded())).contains(List.of("GROUP", "TYPE", "STATE"), List.of(classic, "Classic", "Stable"))
                    .noneMatch(row -> row.contains(simple) || row.contains(fresh));
            assertThat(rows(tool.with("--list", "--type", "consumer").run().succeeded())).contains(List.of(fresh,
                    "Consumer")).noneMatch(row -> row.contains(classic));
            assertThat(tool.with("--list", "--state", "unheard-of").run().exitCode()).isNotZero();

            var offsets = tool.with("--describe", "--all-groups", "--offsets").run().succeeded();
            assertThat(beginnings(offsets)).contains(
                    List.of(simple, classicTopic, "1", "4", "10", "6", "-", "-", "-"),
                    List.of(classic, classicTopic, "0", "10", "10", "0"),
                    List.of(classic, classicTopic, "1", "10", "10", "0"),
                    List.of(fresh, newTopic, "0", "10", "10", "0"));
            assertThat(offsets.all()).contains("Consumer group '" + simple + "' has no active members.");
            var members = tool.with("--describe", "--group", classic, "--group", fresh, "--group", simple,
                    "--members", "--verbose").run().succeeded();
            // The tool of 3.9 leaves the names of topics out.
            var named = release == KafkaRelease.KAFKA_4_4;
            assertThat(rows(members)).anySatisfy(row -> assertThat(row).startsWith(classic).contains("2", named
                    ? classicTopic + ":0,1"
                    : "(0,1)")).anySatisfy(row -> assertThat(row).startsWith(fresh).contains("1", named
                            ? newTopic + ":0"
                            : "(0)"));
            var states = tool.with("--describe", "--group", classic, "--group", fresh, "--group", simple, "--state")
                    .run().succeeded();
            assertThat(rows(states)).anySatisfy(row -> assertThat(row).startsWith(classic).endsWith("range", "Stable",
                    "1")).anySatisfy(row -> assertThat(row).startsWith(fresh).endsWith("uniform", "Stable", "1"))
                    .anySatisfy(row -> assertThat(row).startsWith(simple).endsWith("Empty", "0"));
            // Told in words by the tool of 3.9, and by an exception by that of 4.4.
            assertThat(tool.with("--describe", "--group", classic + "-none").run().all()).contains(named
                    ? "GroupIdNotFoundException: Group " + classic + "-none"
                    : "Consumer group '" + classic + "-none' does not exist.");
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void offsetsAreResetInEachWay(KafkaRelease release) throws IOException {
        var topic = topic("reset", release, 3);
        var other = topic("reset-other", release, 1);
        var group = topic + "-idle";
        var tool = tool(release).with("--reset-offsets", "--group", group);
        commit(group, Map.of(at(topic, 0), 4L, at(topic, 1), 4L, at(topic, 2), 4L, at(other, 0), 4L));

        // Only what is named, and only shown.
        assertThat(cells(tool.with("--to-earliest", "--topic", topic + ":0,2", "--dry-run").run().succeeded()))
                .containsSequence(group, topic, "0", "0").containsSequence(group, topic, "2", "0").doesNotContain(other)
                .doesNotContainSequence(topic, "1");
        assertThat(committed(group)).hasSize(4).containsValue(4L).doesNotContainValue(0L);
        // Without either word it is shown as well, and warned of.
        assertThat(tool.with("--to-earliest", "--topic", topic).run().succeeded().all()).contains(
                "WARN: No action will be performed as the --execute option is missing.");
        assertThat(committed(group)).doesNotContainValue(0L);

        tool.with("--to-latest", "--all-topics", "--execute").run().succeeded();
        assertThat(committed(group)).containsOnlyKeys(at(topic, 0), at(topic, 1), at(topic, 2), at(other, 0))
                .allSatisfy((_, offset) -> assertThat(offset).isEqualTo(ALL));
        tool.with("--to-earliest", "--topic", topic + ":1", "--topic", other, "--execute").run().succeeded();
        assertOffsets(group, topic, other, ALL, 0, ALL, 0);
        tool.with("--to-offset", "3", "--topic", topic, "--execute").run().succeeded();
        assertOffsets(group, topic, other, 3, 3, 3, 0);
        tool.with("--shift-by", "2", "--topic", topic + ":0,1", "--execute").run().succeeded();
        assertOffsets(group, topic, other, 5, 5, 3, 0);
        // Beyond either end there is nothing: the end is taken.
        tool.with("--shift-by", "-4", "--topic", topic, "--execute").run().succeeded();
        assertOffsets(group, topic, other, 1, 1, 0, 0);
        tool.with("--to-offset", "99", "--topic", other, "--execute").run().succeeded();
        assertOffsets(group, topic, other, 1, 1, 0, ALL);

        var exported = tool.with("--to-current", "--all-topics", "--export", "--dry-run").run().succeeded();
        assertThat(exported.lines().stream().filter(line -> line.contains(topic) || line.contains(other)).toList())
                .extracting(line -> line.replace("\"", "")).containsExactlyInAnyOrder(topic + ",0,1", topic + ",1,1",
                        topic + ",2,0", other + ",0,10");
        var file = Files.writeString(folder.resolve("plan.csv"), exported.lines().stream().filter(line -> line.contains(
                topic)).map(line -> line.substring(0, line.lastIndexOf(',')) + ",7").collect(Collectors.joining("\n")));
        tool.with("--from-file", file.toString(), "--execute").run().succeeded();
        assertOffsets(group, topic, other, 7, 7, 7, ALL);

        var noon = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS").withZone(ZoneOffset.UTC).format(Instant
                .now().minus(Duration.ofHours(12)));
        tool.with("--to-datetime", noon + "Z", "--topic", topic + ":0", "--execute").run().succeeded();
        tool.with("--by-duration", "PT6H", "--topic", topic + ":1", "--execute").run().succeeded();
        assertOffsets(group, topic, other, OLD, OLD, 7, ALL);
        assertThat(cells(tool.with("--by-duration", "P3D", "--topic", topic + ":2", "--dry-run").run().succeeded()))
                .containsSequence(group, topic, "2", "0");
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void groupInUseIsLeftAloneAndIdleOnesGo(KafkaRelease release) {
        var topic = topic("delete", release, 2);
        var other = topic("delete-other", release, 1);
        var live = topic + "-group";
        var idle = topic + "-idle";
        var tool = tool(release);
        commit(idle, Map.of(at(topic, 0), 4L, at(topic, 1), 4L, at(other, 0), 4L));
        try (var member = new Member(kafka, topic)) {
            await().atMost(Kafka.LIMIT).until(() -> member.read() == 2 * ALL);

            assertThat(tool.with("--reset-offsets", "--group", live, "--to-earliest", "--topic", topic, "--execute")
                    .run().all()).contains("Assignments can only be reset if the group '" + live
                            + "' is inactive, but the current state is Stable.");
            assertThat(tool.with("--delete-offsets", "--group", live, "--topic", topic).run().all()).contains(
                    "Deleting offsets of a topic is forbidden while the consumer group is actively subscribed to it")
                    .doesNotContain("Successful");
            assertThat(cells(tool.with("--delete-offsets", "--group", idle, "--topic", topic + ":1", "--topic", other)
                    .run().succeeded())).containsSequence(topic, "1").containsSequence(other, "0").doesNotContain(
                            "Error:");
            assertThat(committed(idle)).containsOnlyKeys(at(topic, 0));
            assertThat(tool.with("--delete-offsets", "--group", idle + "-none", "--topic", topic).run().all())
                    .containsIgnoringCase("does not exist");

            var deleted = tool.with("--delete", "--group", idle, "--group", live, "--group", idle + "-none").run();
            assertThat(deleted.all()).contains("Error: Deletion of some consumer groups failed:", "Group '" + live
                    + "' could not be deleted due to", "GroupNotEmptyException", "Group '" + idle
                            + "-none' could not be deleted due to", "GroupIdNotFoundException",
                    "These consumer groups were deleted successfully: '" + idle + "'");
        }
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(tool.with("--delete", "--group", live).run()
                .succeeded().out()).contains("Deletion of requested consumer groups ('" + live + "') was successful."));
        assertThat(tool.with("--list").run().succeeded().lines()).doesNotContain(live, idle);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void offsetsOfATopicThatIsGoneAreGoneAndNothingHangs(KafkaRelease release) {
        var topic = topic("gone", release, 1);
        var kept = topic("kept", release, 1);
        var group = topic + "-idle";
        commit(group, Map.of(at(topic, 0), 4L, at(kept, 0), 4L));
        try (var admin = kafka.admin()) {
            Kafka.await(admin.deleteTopics(List.of(topic)).all());
        }

        assertThat(rows(tool(release).with("--describe", "--group", group).run().succeeded())).noneMatch(row -> row
                .contains(topic)).anySatisfy(row -> assertThat(row).startsWith(group, kept, "0", "4", "10", "6"));
        tool(release).with("--reset-offsets", "--group", group, "--all-topics", "--to-earliest", "--execute").run()
                .succeeded();
        assertThat(committed(group)).containsExactly(Map.entry(at(kept, 0), 0L));
    }

    @Test
    void newestToolChecksPatterns() {
        var tool = KafkaRelease.KAFKA_4_4.consumerGroups();
        assertThat(tool.with("--validate-regex", "ord.*").run().succeeded().all()).contains("valid");
        assertThat(tool.with("--validate-regex", "ord(").run().all()).containsIgnoringCase("missing closing )");
    }

    private Program tool(KafkaRelease release) {
        return release.consumerGroups().with("--bootstrap-server", kafka.bootstrap());
    }

    private static TopicPartition at(String topic, int partition) {
        return new TopicPartition(topic, partition);
    }

    private String topic(String what, KafkaRelease release, int partitions) {
        var topic = "group-tools-" + what + "-" + release.name().toLowerCase(Locale.ROOT).replace('_', '-');
        kafka.create(topic, partitions);
        long now = System.currentTimeMillis();
        try (var producer = kafka.producer(Map.of())) {
            var sent = new ArrayList<Future<?>>();
            for (int partition = 0; partition < partitions; partition++) {
                for (int i = 0; i < ALL; i++) {
                    long time = i < OLD ? now - Duration.ofDays(1).toMillis() : now;
                    sent.add(producer.send(new ProducerRecord<>(topic, partition, time, "k", "v")));
                }
            }
            sent.forEach(Kafka::await);
        }
        return topic;
    }

    private void commit(String group, Map<TopicPartition, Long> offsets) {
        try (var admin = kafka.admin()) {
            Kafka.await(admin.alterConsumerGroupOffsets(group, offsets.entrySet().stream().collect(Collectors.toMap(
                    Map.Entry::getKey, entry -> new OffsetAndMetadata(entry.getValue())))).all());
        }
    }

    private Map<TopicPartition, Long> committed(String group) {
        try (var admin = kafka.admin()) {
            return Kafka.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()).entrySet()
                    .stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
        }
    }

    /// @param offsets of the three partitions of `topic`, and of that of `other`
    private void assertOffsets(String group, String topic, String other, long... offsets) {
        assertThat(new TreeMap<>(committed(group).entrySet().stream().collect(Collectors.toMap(entry -> entry.getKey()
                .toString(), Map.Entry::getValue)))).isEqualTo(new TreeMap<>(Map.of(topic + "-0", offsets[0], topic
                        + "-1", offsets[1], topic + "-2", offsets[2], other + "-0", offsets[3])));
    }

    /// What the tool printed, in cells.
    private static List<List<String>> rows(Result result) {
        return result.lines().stream().map(line -> Arrays.asList(line.strip().split("\\s+", -1))).toList();
    }

    /// The same without its lines: those of 3.9 do not end after each row of some tables.
    private static List<String> cells(Result result) {
        return Arrays.asList(result.out().strip().split("\\s+", -1));
    }

    /// The same up to what differs between members.
    private static List<List<String>> beginnings(Result result) {
        return rows(result).stream().map(row -> row.size() > 6 && !row.get(6).equals("-") ? row.subList(0, 6) : row)
                .toList();
    }
}
