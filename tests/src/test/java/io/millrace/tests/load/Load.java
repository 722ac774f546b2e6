package io.millrace.tests.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Checker;
import io.millrace.tests.history.History;
import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Reading;
import io.millrace.tests.history.Report;
import io.millrace.tests.history.Stored;
import io.millrace.tests.history.Violation;
import io.millrace.tests.history.Writing;
import org.apache.kafka.clients.admin.NewTopic;

/// A topic under load by all kinds of clients at once, from [#start] to [#finish].
public final class Load implements AutoCloseable {

    private static final int PARTITIONS = 6;
    private static final int ENOUGH = 25;
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration RARELY = Duration.ofMillis(50);

    private final Kafka kafka;
    private final String topic;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();

    private Load(Kafka kafka, String topic) {
        this.kafka = kafka;
        this.topic = topic;
    }

    /// Makes the topic and begins to write and read: Java and kcat, idempotent and not, all with acks=all.
    ///
    /// @param replicas of each partition; with three of them two must be in sync for a record to be taken
    public static Load start(Kafka kafka, String topic, int replicas) {
        kafka.create(new NewTopic(topic, PARTITIONS, (short) replicas)
                .configs(Map.of("min.insync.replicas", replicas < 3 ? "1" : "2")));
        var load = new Load(kafka, topic);
        load.writers.add(new JavaWriter(kafka, topic, PARTITIONS, "java-once", true, OFTEN));
        load.writers.add(new JavaWriter(kafka, topic, PARTITIONS, "java-again", false, OFTEN));
        load.writers.add(new KcatWriter(kafka.bootstrap(), topic, 0, "kcat-once", true, RARELY));
        load.writers.add(new KcatWriter(kafka.bootstrap(), topic, 1, "kcat-again", false, RARELY));
        load.readers.add(new JavaReader(kafka, topic, PARTITIONS, "java-reader"));
        load.readers.add(new KcatReader(kafka.bootstrap(), topic, "kcat-reader"));
        return load;
    }

    /// The topic that is written to.
    public String topic() {
        return topic;
    }

    /// Returns once every writer got some more records acknowledged.
    public void awaitProgress() {
        long[] before = writers.stream().mapToLong(Writer::acknowledged).toArray();
        await().atMost(Kafka.LIMIT).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(writers.get(i).acknowledged()).as("acknowledged to %s; failures %s", writers.get(i).name(),
                        failures()).isGreaterThanOrEqualTo(before[i] + ENOUGH);
            }
        });
    }

    /// Records that clients gave up, by writer and reason.
    public List<String> failures() {
        return writers.stream().flatMap(it -> it.failures().stream()).toList();
    }

    /// Ends the writing, reads all there is, waits until the readers have seen it too, and compares.
    public Report finish() {
        List<Writing> writings = new ArrayList<>();
        writers.forEach(it -> writings.addAll(it.finish()));
        Map<Integer, List<Stored>> log = log();
        await().atMost(Kafka.LIMIT).untilAsserted(() -> readers.stream().map(Reader::sightings).filter(it -> it
                .complaints().isEmpty())
                .forEach(it -> log.forEach((partition, stored) -> assertThat(it.newest().get(partition))
                        .as("what %s has read of partition %s", it.reader(), partition)
                        .isEqualTo(Optional.of(stored).filter(all -> !all.isEmpty()).map(all -> all.getLast().offset())
                                .orElse(null)))));
        List<Reading> readings = new ArrayList<>();
        List<Violation.Complaint> complaints = new ArrayList<>();
        for (Reader reader : readers) {
            reader.close();
            readings.addAll(reader.sightings().readings());
            complaints.addAll(reader.sightings().complaints());
        }
        return Checker.check(new History(writings, readings, log, complaints));
    }

    private Map<Integer, List<Stored>> log() {
        var log = new HashMap<Integer, List<Stored>>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            log.put(partition, new ArrayList<>());
        }
        kafka.records(topic).forEach(it -> log.computeIfAbsent(it.partition(), _ -> new ArrayList<>())
                .add(new Stored(it.offset(), Mark.parse(it.value()))));
        return log;
    }

    @Override
    public void close() {
        writers.forEach(Writer::close);
        readers.forEach(Reader::close);
    }
}
