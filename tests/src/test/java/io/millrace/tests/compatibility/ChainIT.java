package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Outcome;
import io.millrace.tests.history.Stored;
import io.millrace.tests.history.Transaction;
import io.millrace.tests.history.TransactionChecker;
import io.millrace.tests.history.Writing;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Chains that consume, transform and produce, by transactions of all kinds of clients. What is written into a topic, in
/// transactions some of which are aborted, must be behind each chain once and in its order. `-Dmillrace.chain.records=N` for
/// millions of them, `-Dmillrace.chain.client=JAVA_4_4` for one client alone.
@UsesClusters
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChainIT {
    private static final String SOURCE = "chain-source";
    private static final int PARTITIONS = 3;
    private static final int TOGETHER = 150;
    private static final int RECORDS = Integer.getInteger("millrace.chain.records", 3_000);

    private final Kafka kafka;
    private final List<Transaction> transactions = new ArrayList<>();

    ChainIT(Clusters clusters) {
        kafka = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());
        kafka.create(SOURCE, PARTITIONS);
        write();
    }

    /// Every third transaction is aborted.
    private void write() {
        try (Producer<String, String> producer = kafka.producer(Map.of("transactional.id", SOURCE))) {
            producer.initTransactions();
            long committed = 0;
            for (long number = 0; committed < RECORDS; number += TOGETHER) {
                producer.beginTransaction();
                var parts = new ArrayList<Transaction.Part>();
                for (long each = number; each < number + TOGETHER; each++) {
                    int partition = (int) (each % PARTITIONS);
                    producer.send(new ProducerRecord<>(SOURCE, partition, null, new Mark("writer", each).text()));
                    parts.add(new Transaction.Part(partition, each, Writing.UNTOLD));
                }
                boolean commit = number / TOGETHER % 3 != 1;
                if (commit) {
                    producer.commitTransaction();
                    committed += TOGETHER;
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
                transactions.add(new Transaction("writer", commit ? Outcome.COMMITTED : Outcome.ABORTED, parts));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ChainClient.class)
    void whatIsCommittedGoesThroughAChainOnceAndInItsOrder(ChainClient client) {
        var only = System.getProperty("millrace.chain.client", client.name());
        Assumptions.assumeTrue(only.equals(client.name()), "skipped: asked for " + only);
        var program = client.program();
        var target = "chain-" + client.name().toLowerCase(Locale.ROOT).replace('_', '-');
        kafka.create(target, PARTITIONS);
        var source = committed(SOURCE);
        long count = source.values().stream().mapToLong(List::size).sum();

        program.with("chain", kafka.bootstrap(), SOURCE, target, String.valueOf(count)).run().succeeded();

        var read = TransactionChecker.check(transactions, List.of(), source, List.of());
        assertThat(read.violations()).as(read.text()).isEmpty();
        var copied = TransactionChecker.checkCopy(transactions, source, committed(target));
        assertThat(copied.violations()).as(copied.text()).isEmpty();
    }

    private Map<Integer, List<Stored>> committed(String topic) {
        var log = new HashMap<Integer, List<Stored>>();
        IntStream.range(0, PARTITIONS).forEach(it -> log.put(it, new ArrayList<>()));
        kafka.records(topic, "read_committed").forEach(it -> log.computeIfAbsent(it.partition(),
                _ -> new ArrayList<>()).add(new Stored(it.offset(), Mark.parse(it.value()))));
        return log;
    }
}
