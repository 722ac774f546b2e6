package io.millrace.tests.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Outcome;
import io.millrace.tests.history.Transaction;
import io.millrace.tests.history.Writing;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Kafka's Java producer with a transactional id. Of its transactions, each over some partitions, most are committed; the rest
/// is aborted, left open beyond its time, or left by a successor that fences it. The records' times are days away now and
/// then.
final class TransactionalWriter implements TransactionClient {
    private static final int MOST_RECORDS = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final Duration REST = Duration.ofMillis(200);
    private static final long FARTHEST_MILLIS = Duration.ofDays(30).toMillis();
    /// A client that gives up leaves what it does not know; this one seldom does.
    private static final int COMMIT_ATTEMPTS = 20;

    private final Kafka kafka;
    private final String topic;
    private final int partitions;
    private final String name;
    private final Random random;
    private final Thread thread;
    private final Map<Integer, Long> numbers = new HashMap<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private final Complaints complaints = new Complaints();
    private @Nullable Producer<String, String> producer;
    private volatile boolean ended;

    /// A record on its way.
    private record Sent(int partition, long number, Future<RecordMetadata> told) {}

    TransactionalWriter(Kafka kafka, String topic, int partitions, String name, long seed) {
        this.kafka = kafka;
        this.topic = topic;
        this.partitions = partitions;
        this.name = name;
        random = new Random(seed);
        thread = Thread.ofPlatform().name(name).start(this::write);
    }

    private void write() {
        while (!ended) {
            try {
                transact(current());
            } catch (KafkaException failure) {
                failed("begin", failure);
                renew();
                LockSupport.parkNanos(REST.toNanos());
            }
        }
        renew();
    }

    private Producer<String, String> current() {
        var now = producer;
        if (now == null) {
            now = begun();
            producer = now;
        }
        return now;
    }

    private Producer<String, String> begun() {
        var begun = kafka.producer(Map.of("transactional.id", topic + "-" + name, "transaction.timeout.ms",
                (int) TIMEOUT.toMillis(), "delivery.timeout.ms", 20_000, "request.timeout.ms", 3_000, "max.block.ms",
                20_000, "reconnect.backoff.max.ms", 200));
        try {
            begun.initTransactions();
            return begun;
        } catch (KafkaException failure) {
            begun.close(Duration.ZERO);
            throw failure;
        }
    }

    private void renew() {
        var old = producer;
        producer = null;
        if (old != null) {
            old.close(Duration.ZERO);
        }
    }

    private void transact(Producer<String, String> by) {
        by.beginTransaction();
        var sent = new ArrayList<Sent>();
        var outcome = Outcome.ABORTED;
        try {
            int count = 1 + random.nextInt(MOST_RECORDS);
            for (int i = 0; i < count; i++) {
                send(by, sent);
            }
            outcome = end(by);
        } catch (KafkaException failure) {
            failed("send", failure);
            renew();
        }
        record(outcome, sent);
    }

    private void send(Producer<String, String> by, List<Sent> sent) {
        int partition = random.nextInt(partitions);
        long number = numbers.merge(partition, 1L, Long::sum) - 1;
        long now = System.currentTimeMillis();
        long time = random.nextInt(10) > 0
                ? now
                : now + random.nextLong(-FARTHEST_MILLIS, FARTHEST_MILLIS);
        var record = new ProducerRecord<String, String>(topic, partition, time, null, new Mark(name, number).text());
        try {
            sent.add(new Sent(partition, number, by.send(record)));
        } catch (KafkaException failure) {
            // What the client refuses must not be there either.
            sent.add(new Sent(partition, number, CompletableFuture.failedFuture(failure)));
            throw failure;
        }
    }

    private Outcome end(Producer<String, String> by) {
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3 -> {
                by.abortTransaction();
                return Outcome.ABORTED;
            }
            case 4 -> {
                by.flush();
                return succeeded(by);
            }
            case 5 -> LockSupport.parkNanos(random.nextLong(2 * TIMEOUT.toNanos()));
            case 6 -> {
                // As a client that dies: nobody ends it but its successor, or the time.
                renew();
                return Outcome.ABORTED;
            }
            default -> {
            }
        }
        return commit(by);
    }

    /// A successor is at work: whatever this one says then must come to nothing.
    private Outcome succeeded(Producer<String, String> by) {
        try (by) {
            producer = null;
            producer = begun();
            by.commitTransaction();
            return Outcome.COMMITTED;
        } catch (KafkaException _) {
            return Outcome.ABORTED;
        }
    }

    private Outcome commit(Producer<String, String> by) {
        for (int attempt = 1;; attempt++) {
            try {
                by.commitTransaction();
                return Outcome.COMMITTED;
            } catch (TimeoutException failure) {
                if (attempt == COMMIT_ATTEMPTS || ended) {
                    failed("commit", failure);
                    renew();
                    return Outcome.UNKNOWN;
                }
            } catch (KafkaException failure) {
                failed("commit", failure);
                renew();
                return Outcome.UNKNOWN;
            }
        }
    }

    private void record(Outcome outcome, List<Sent> sent) {
        var parts = sent.stream().map(it -> new Transaction.Part(it.partition(), it.number(),
                outcome == Outcome.COMMITTED && it.told().state() == Future.State.SUCCESS
                        ? it.told().resultNow().offset()
                        : Writing.UNTOLD))
                .toList();
        synchronized (this) {
            transactions.add(new Transaction(name, outcome, parts));
        }
    }

    private void failed(String step, KafkaException failure) {
        complaints.add(name, step, failure);
    }

    @Override
    public synchronized List<Transaction> transactions() {
        return List.copyOf(transactions);
    }

    @Override
    public Map<String, Integer> failures() {
        return complaints.all();
    }

    @Override
    public void close() {
        ended = true;
        Ends.join(thread);
    }
}
