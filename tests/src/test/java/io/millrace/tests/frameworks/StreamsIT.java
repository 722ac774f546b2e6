package io.millrace.tests.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.DisturbsClusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.Home;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kafka Streams with `exactly_once_v2`: programs of two releases count words while they, and what they depend on, are killed
/// and come back. `-Dmillrace.streams.kills=N` for so many more, at random: which of them and when is by `-Dseed`.
@DisturbsClusters
class StreamsIT {
    private static final List<KafkaRelease> RELEASES = List.of(KafkaRelease.KAFKA_3_9, KafkaRelease.KAFKA_4_4);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String INPUT = "streams-lines";
    private static final int WORDS = 12;
    private static final int LINES = 150;
    private static final int KILLS = Integer.getInteger("millrace.streams.kills", 0);
    private static final int MOST_MILLIS_BETWEEN = 3_000;

    @TempDir
    Path directory;
    private final Cluster cluster;
    private final Kafka kafka;
    private final Random random = new Random(Long.getLong("seed", 1));
    private final Map<String, Integer> expected = new HashMap<>();
    private final Map<KafkaRelease, Process> running = new HashMap<>();

    StreamsIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void everyWordIsCountedExactlyOnceWhoeverIsKilled() throws Exception {
        kafka.create(new NewTopic(INPUT, 3, (short) 2));
        for (var release : RELEASES) {
            kafka.create(new NewTopic(output(release), 2, (short) 2));
            start(release);
        }
        try {
            write();
            await().atMost(LIMIT).until(() -> RELEASES.stream().noneMatch(release -> counts(release).isEmpty()));
            for (var kill : List.<Runnable>of(this::killPrograms, () -> cluster.bounce("coordinator", 1000),
                    () -> cluster.bounce(
                            "broker", 1))) {
                write();
                kill.run();
                write();
            }
            for (int i = 0; i < KILLS; i++) {
                write();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_MILLIS_BETWEEN));
                killAnyone();
            }
            for (var release : RELEASES) {
                await().atMost(LIMIT).untilAsserted(() -> assertThat(sums(release)).isEqualTo(expected));
                assertThat(counts(release)).as("each count once, and in order").isEqualTo(everyCount());
            }
        } finally {
            running.values().forEach(Process::destroyForcibly);
        }
    }

    private void killPrograms() {
        RELEASES.forEach(this::killProgram);
    }

    private void killProgram(KafkaRelease release) {
        Objects.requireNonNull(running.remove(release)).destroyForcibly().onExit().join();
        start(release);
    }

    private void killAnyone() {
        switch (random.nextInt(4)) {
            case 0 -> cluster.bounce("coordinator", 1000 + random.nextInt(2));
            case 1 -> cluster.bounce("broker", random.nextInt(3));
            default -> killProgram(RELEASES.get(random.nextInt(RELEASES.size())));
        }
    }

    private void start(KafkaRelease release) {
        var name = output(release);
        try {
            var state = Files.createDirectories(directory.resolve(name));
            running.put(release, release.program(WordCount.class.getName(), Home.classes())
                    .with(kafka.bootstrap(), name, INPUT, name, state.toString())
                    .start(directory.resolve(name + ".log")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String output(KafkaRelease release) {
        return "streams-counts-" + release.name().toLowerCase(Locale.ROOT);
    }

    private void write() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < LINES; i++) {
            var words = IntStream.range(0, 4).mapToObj(_ -> "word" + random.nextInt(WORDS)).toList();
            words.forEach(word -> expected.merge(word, 1, Integer::sum));
            messages.add(Message.of("line" + i, String.join(" ", words)));
        }
        kafka.produce(INPUT, Map.of("enable.idempotence", true), messages);
    }

    private Map<String, List<Integer>> everyCount() {
        var all = new HashMap<String, List<Integer>>();
        expected.forEach((word, count) -> all.put(word, IntStream.rangeClosed(1, count).boxed().toList()));
        return all;
    }

    private Map<String, Integer> sums(KafkaRelease release) {
        var last = new HashMap<String, Integer>();
        counts(release).forEach((word, counts) -> last.put(word, counts.getLast()));
        return last;
    }

    /// All committed counts of each word, in their order.
    private Map<String, List<Integer>> counts(KafkaRelease release) {
        var found = new HashMap<String, List<Integer>>();
        kafka.records(output(release), "read_committed").forEach(record -> found.computeIfAbsent(record.key(),
                _ -> new ArrayList<>()).add(Integer.valueOf(record.value())));
        return found;
    }
}
