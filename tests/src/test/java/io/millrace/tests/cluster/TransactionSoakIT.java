package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.TransactionalLoad;
import io.millrace.tests.network.Network;
import io.millrace.tests.program.Required;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Transactions and a chain of consumers through random faults for as long as one likes:
/// `-Dmillrace.transactions.minutes=N`, and `-Dmillrace.soak.seed=S` to draw the same faults again. Every round has topics of
/// its own, a minute of faults, and the check of all that its clients saw.
@Slf4j
@EnabledIfSystemProperty(named = "millrace.transactions.minutes", matches = "\\d+")
class TransactionSoakIT {

    private static final int CONTROLLERS = 2;
    private static final int BROKERS = 3;
    private static final int COORDINATORS = 2;
    private static final Duration ROUND = Duration.ofSeconds(60);
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final int LONGEST_FAULT_MILLIS = 9_000;
    private static final int LONGEST_PEACE_MILLIS = 5_000;
    private static final int FIRST_COORDINATOR = 1000;

    private final long minutes = Long.getLong("millrace.transactions.minutes", 0);
    private final long seed = Long.getLong("millrace.soak.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, String> settings = Map.of("kafka.replica.lag.time.max.ms", "3000",
            "kafka.transaction.abort.timed.out.transaction.cleanup.interval.ms", "500",
            "kafka.log.retention.check.interval.ms", "5000");

    @Test
    void everyTransactionIsWholeAndOnceThroughRandomFaults() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: cutting networks needs root and network namespaces");
        TransactionalLoad.missing().ifPresent(what -> Required.check(false, what));
        log.info("Transactions begin minutes={} seed={}", minutes, seed);
        try (var cluster = new NetworkCluster("transactions", CONTROLLERS, BROKERS, COORDINATORS, settings)) {
            long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
            for (int round = 0; round == 0 || System.nanoTime() < end; round++) {
                round(cluster, round);
            }
        }
    }

    private void round(NetworkCluster cluster, int round) {
        var kafka = new Kafka(cluster.bootstrap());
        await().atMost(RECOVERY).untilAsserted(() -> {
            cluster.revive();
            kafka.create(new NewTopic("before-" + round, 1, (short) BROKERS));
        });
        var topic = "transactions-" + round;
        var draw = new FaultDraw(cluster, CONTROLLERS, BROKERS, random);
        try (var load = TransactionalLoad.start(kafka, topic, BROKERS, random.nextLong())) {
            load.awaitProgress();
            var faults = faults(cluster, draw, kafka, topic);
            new Replicas(kafka).awaitAllInSync(cluster::revive);
            load.awaitProgress();
            var reports = load.finish();
            log.info("Transactions round={} seed={} {} failures={} faults={}", round, seed, reports.text(), load
                    .failures(), faults);
            assertThat(reports.violations()).as("seed %s round %s: %s", seed, round, reports.text()).isEmpty();
            assertThat(load.unexplained()).as("seed %s round %s", seed, round).isEmpty();
        }
    }

    private List<String> faults(NetworkCluster cluster, FaultDraw draw, Kafka kafka, String topic) {
        var names = new ArrayList<String>();
        long end = System.nanoTime() + ROUND.toNanos();
        while (System.nanoTime() < end) {
            var faults = random.nextInt(2) == 0 ? draw.draw() : List.of(ofTransactions(cluster, kafka, topic));
            log.info("Transactions fault begins {}", faults);
            faults.forEach(it -> it.begin().run());
            pause(LONGEST_FAULT_MILLIS);
            faults.forEach(it -> it.end().run());
            names.add(faults.toString());
            pause(LONGEST_PEACE_MILLIS);
        }
        return names;
    }

    /// What concerns transactions more than other things.
    private Fault ofTransactions(NetworkCluster cluster, Kafka kafka, String topic) {
        int id = FIRST_COORDINATOR + random.nextInt(COORDINATORS);
        var name = "coordinator" + id;
        return switch (random.nextInt(6)) {
            case 0, 1 -> new Fault("kill " + name, Set.of(name), () -> cluster.kill("coordinator", id),
                    () -> cluster.launch("coordinator", id));
            case 2 -> new Fault("hang " + name, Set.of(name), () -> cluster.stop("coordinator", id),
                    () -> cluster.resume("coordinator", id));
            case 3 -> new Fault("end " + name, Set.of(name), () -> cluster.terminate("coordinator", id),
                    () -> cluster.launch("coordinator", id));
            case 4 -> new Fault("isolate " + name, Set.of(name), () -> cluster.othersThan("coordinator", id)
                    .forEach(it -> cluster.network().cut(cluster.host("coordinator", id), it)), cluster
                            .network()::heal);
            default -> new Fault("move leaders", Set.of("leaders"), () -> moveLeaders(kafka, topic), () -> {});
        };
    }

    /// Each partition of the topic, and of the shards of transactions, prefers another leader, and gets it.
    private void moveLeaders(Kafka kafka, String topic) {
        try (Admin admin = kafka.admin()) {
            var replicas = new HashMap<TopicPartition, Optional<NewPartitionReassignment>>();
            for (int partition = 0; partition < 5; partition++) {
                int first = random.nextInt(BROKERS);
                replicas.put(new TopicPartition(random.nextBoolean() ? topic : "__transaction_state", partition),
                        Optional.of(new NewPartitionReassignment(List.of(first, (first + 1) % BROKERS,
                                (first + 2) % BROKERS))));
            }
            Kafka.await(admin.alterPartitionReassignments(replicas).all());
            Kafka.await(admin.electLeaders(ElectionType.PREFERRED, null).all());
        } catch (AssertionError failure) {
            log.info("Transactions leaders did not move reason=\"{}\"", failure.toString());
        }
    }

    /// Not a wait for something: how long a fault lasts is part of what is drawn.
    private void pause(int longestMillis) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(longestMillis)).toNanos());
    }
}
