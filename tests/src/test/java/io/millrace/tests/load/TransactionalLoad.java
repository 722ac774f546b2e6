package io.millrace.tests.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Outcome;
import io.millrace.tests.history.Report;
import io.millrace.tests.history.Stored;
import io.millrace.tests.history.TransactionChecker;
import io.millrace.tests.history.Violation;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ConditionTimeoutException;

/// A topic that transactions are written to, readers of its committed records, and a chain of two members that copies them
/// into a second topic, from [#start] to [#finish].
public final class TransactionalLoad implements AutoCloseable {

    private static final int PARTITIONS = 5;
    private static final int WRITERS = 4;
    private static final int ENOUGH = 10;
    private static final Duration QUIET = Duration.ofMinutes(2);

    private final Kafka kafka;
    private final String source;
    private final String target;
    private final List<TransactionClient> writers = new ArrayList<>();
    private final List<Chain> chains = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();

    /// @param transactions how many the writers began, by outcome
    /// @param source the report of the topic that the transactions were written to
    /// @param copy the report of the topic behind the chain
    public record Reports(Map<Outcome, Long> transactions, Report source, Report copy) {

        /// All broken promises.
        public List<Violation> violations() {
            var all = new ArrayList<>(source.violations());
            all.addAll(copy.violations());
            return all;
        }

        /// Numbers, then the first violations.
        public String text() {
            return "transactions=%s written: %s copied: %s".formatted(new TreeMap<>(transactions), source.text(), copy
                    .text());
        }
    }

    private TransactionalLoad(Kafka kafka, String topic) {
        this.kafka = kafka;
        source = topic;
        target = topic + "-copy";
    }

    /// Whether this machine has what it takes.
    ///
    /// @return what is missing
    public static Optional<String> missing() {
        return ClockedWriter.isPossible() ? Optional.empty() : Optional.of("libfaketime (apt-get install libfaketime)");
    }

    /// Makes the topics and begins to write, read and copy.
    ///
    /// @param replicas of each partition; with three of them two must be in sync for a record to be taken
    public static TransactionalLoad start(Kafka kafka, String topic, int replicas, long seed) {
        var load = new TransactionalLoad(kafka, topic);
        for (var each : List.of(load.source, load.target)) {
            kafka.create(new NewTopic(each, PARTITIONS, (short) replicas).configs(Map.of("min.insync.replicas",
                    replicas < 3 ? "1" : "2", "message.timestamp.after.max.ms", String.valueOf(Long.MAX_VALUE),
                    // Records of days ago are kept all the same.
                    "retention.ms", "-1")));
        }
        for (int i = 0; i < WRITERS; i++) {
            load.writers.add(i == 0
                    ? new ClockedWriter(kafka, load.source, PARTITIONS, "writer-" + i, seed + i)
                    : new TransactionalWriter(kafka, load.source, PARTITIONS, "writer-" + i, seed + i));
        }
        for (int i = 0; i < 2; i++) {
            load.chains.add(new Chain(kafka, load.source, load.target, "chain-" + i));
            load.readers.add(new JavaReader(kafka, load.source, PARTITIONS, "reader-" + i, "read_committed"));
        }
        return load;
    }

    /// Returns once every writer has committed some more transactions, and the chain has copied some more records.
    public void awaitProgress() {
        long[] before = writers.stream().mapToLong(TransactionalLoad::committed).toArray();
        long copied = chains.stream().mapToLong(Chain::committed).sum();
        await().atMost(QUIET).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(committed(writers.get(i))).as("committed by writer %s; failures %s", i, failures())
                        .isGreaterThanOrEqualTo(before[i] + ENOUGH);
            }
            assertThat(chains.stream().mapToLong(Chain::committed).sum()).as("copied; failures %s", failures())
                    .isGreaterThan(copied);
        });
    }

    private static long committed(TransactionClient writer) {
        return writer.transactions().stream().filter(it -> it.outcome() == Outcome.COMMITTED).count();
    }

    /// What clients complained of, and how often.
    public Map<String, Integer> failures() {
        var all = new TreeMap<String, Integer>();
        writers.forEach(it -> all.putAll(it.failures()));
        chains.forEach(it -> all.putAll(it.failures()));
        return all;
    }

    /// What clients complained of that no fault explains.
    public List<String> unexplained() {
        return failures().keySet().stream().filter(complaint -> !Complaints.isExplained(complaint)).toList();
    }

    /// Ends the writing, waits until all of it is copied and read, and compares.
    public Reports finish() {
        writers.forEach(TransactionClient::close);
        var transactions = writers.stream().flatMap(it -> it.transactions().stream()).toList();
        var hanging = new ArrayList<>(hanging(source));
        var log = committed(source);
        try {
            await().atMost(QUIET).until(() -> total(committed(target)) >= total(log));
        } catch (ConditionTimeoutException _) {
            // What is missing then is told as lost.
        }
        chains.forEach(Chain::close);
        hanging.addAll(hanging(target));
        try {
            await().atMost(Kafka.LIMIT).until(() -> readers.stream().allMatch(it -> hasReadAll(it, log)));
        } catch (ConditionTimeoutException _) {
            hanging.add(new Violation.Complaint("readers", "did not get to the end"));
        }
        readers.forEach(Reader::close);
        var complaints = new ArrayList<Violation.Complaint>();
        readers.forEach(it -> complaints.addAll(it.sightings().complaints()));
        var written = TransactionChecker.check(transactions,
                readers.stream().flatMap(it -> it.sightings().readings().stream()).toList(), log, complaints)
                .and(hanging);
        var outcomes = new HashMap<Outcome, Long>();
        transactions.forEach(it -> outcomes.merge(it.outcome(), 1L, Long::sum));
        return new Reports(outcomes, written, TransactionChecker.checkCopy(transactions, log, committed(target)));
    }

    private static boolean hasReadAll(Reader reader, Map<Integer, List<Stored>> log) {
        var newest = reader.sightings().newest();
        return !reader.sightings().complaints().isEmpty() || log.entrySet().stream()
                .allMatch(it -> it.getValue().isEmpty()
                        || newest.getOrDefault(it.getKey(), -1L) >= it.getValue().getLast().offset());
    }

    private static long total(Map<Integer, List<Stored>> log) {
        return log.values().stream().mapToLong(List::size).sum();
    }

    /// Partitions whose last stable offset does not come to their end although nobody writes to them.
    private List<Violation> hanging(String topic) {
        var all = IntStream.range(0, PARTITIONS).mapToObj(it -> new TopicPartition(topic, it)).toList();
        try (Consumer<String, String> latest = kafka.consumer(Map.of());
                Consumer<String, String> stable = kafka.consumer(Map.of("isolation.level", "read_committed"))) {
            try {
                await().atMost(QUIET).until(() -> stable.endOffsets(all).equals(latest.endOffsets(all)));
                return List.of();
            } catch (ConditionTimeoutException _) {
                return TransactionChecker.hanging(topic, byPartition(stable.endOffsets(all)), byPartition(latest
                        .endOffsets(all)));
            }
        }
    }

    private static Map<Integer, Long> byPartition(Map<TopicPartition, Long> offsets) {
        var found = new HashMap<Integer, Long>();
        offsets.forEach((partition, offset) -> found.put(partition.partition(), offset));
        return found;
    }

    private Map<Integer, List<Stored>> committed(String topic) {
        var log = new HashMap<Integer, List<Stored>>();
        IntStream.range(0, PARTITIONS).forEach(it -> log.put(it, new ArrayList<>()));
        kafka.records(topic, "read_committed").forEach(it -> log.computeIfAbsent(it.partition(),
                _ -> new ArrayList<>()).add(new Stored(it.offset(), Mark.parse(it.value()))));
        return log;
    }

    @Override
    public void close() {
        writers.forEach(TransactionClient::close);
        chains.forEach(Chain::close);
        readers.forEach(Reader::close);
    }
}
