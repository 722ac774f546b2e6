package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.ClusterStatus.Service;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.Program;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What brokers and controllers rely on fails them: sessions, the controller in office, the version of a node, enough
/// replicas.
@DisturbsClusters
class OutageIT {

    private static final String ALL_IN_SYNC = "outage-all-in-sync";
    private static final int DEAD = 0;
    /// How long a producer waits that has one try.
    private static final int ONE_TRY_MILLIS = 2_000;
    /// After which a broker that hangs is out of all ISRs, though the controllers hang too.
    private static final int ENOUGH_TO_LEAVE_MILLIS = 25_000;

    private final Cluster cluster;
    private final Kafka kafka;
    private final Replicas replicas;
    private final Trial trial;

    OutageIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
        this.replicas = new Replicas(kafka);
        this.trial = new Trial(kafka);
    }

    /// One broker does not: it died meanwhile, and the others take over from it though all of them are registered anew.
    @Test
    void whenAllSessionsExpireAtOnceEverybodyComesBackWithoutARestart() {
        List<Long> processes = processes();
        trial.survives("outage-sessions", load -> {
            try (var tree = new ZooKeeperTree(cluster.status().zookeeper())) {
                List<Long> before = registrations(tree);
                cluster.stop("zookeeper", 0);
                long end = System.nanoTime() + ZooKeeperTree.SESSION.plus(Duration.ofSeconds(3)).toNanos();
                await().atMost(Kafka.LIMIT).until(() -> {
                    load.awaitProgress();
                    return System.nanoTime() > end;
                });
                cluster.kill("broker", DEAD);
                cluster.resume("zookeeper", 0);
                load.awaitProgress();
                cluster.start("broker", DEAD);
                await().atMost(Kafka.LIMIT).ignoreExceptions().untilAsserted(() -> assertThat(registrations(tree))
                        .doesNotContainAnyElementsOf(before));
            }
            awaitTopicsCanBeMade(load.topic());
        });
        assertThat(processes()).isEqualTo(processes);
    }

    /// An old tool has written the leader's state again, and the controller in office hangs, its standby too for a while:
    /// still the ISR is right in the end, and meanwhile producers that want more replicas than there are hear of it.
    @Test
    void theInSyncReplicasAreWhoIsInSyncWhateverHangs() {
        kafka.create(new NewTopic(ALL_IN_SYNC, Map.of(0, List.of(0, 1, 2))).configs(Map.of("min.insync.replicas",
                "3")));
        trial.survives("outage-isr", load -> {
            int controller = cluster.activeController();
            try (var tree = new ZooKeeperTree(cluster.status().zookeeper())) {
                tree.writeTheSame("/brokers/topics/" + load.topic() + "/partitions/0/state");
            }
            String leader = leader();
            var asked = new Kafka(leader);
            int standby = 1 - controller;
            cluster.stop("controller", controller);
            cluster.stop("controller", standby);
            try {
                cluster.stop("broker", 2);
                var appended = CompletableFuture.supplyAsync(() -> complaintOfKcat(leader));
                try {
                    assertThat(failure(asked)).isInstanceOf(TimeoutException.class);
                    cluster.resume("controller", standby);
                    awaitInSync(load.topic(), 2, false);
                    awaitInSync(ALL_IN_SYNC, 2, false);
                    assertThat(failure(asked)).isInstanceOf(NotEnoughReplicasException.class);
                    assertThat(appended.join()).contains(
                            "Message(s) written to insufficient number of in-sync replicas");
                } finally {
                    cluster.resume("broker", 2);
                }
                awaitInSync(load.topic(), 2, true);
            } finally {
                cluster.resume("controller", standby);
                cluster.resume("controller", controller);
            }
            awaitTopicsCanBeMade(load.topic());
        });
    }

    /// Of those that are not killed.
    private List<Long> processes() {
        return cluster.status().services().stream().filter(it -> !it.role().equals("broker") || it.id() != DEAD)
                .map(Service::pid).map(Objects::requireNonNull).toList();
    }

    /// When brokers were registered, and the controller came into office.
    private static List<Long> registrations(ZooKeeperTree tree) {
        return IntStream.range(0, 4).mapToObj(it -> tree.created(it == 3 ? "/controller" : "/brokers/ids/" + it))
                .toList();
    }

    /// What a producer with a single try is told.
    ///
    /// @param asked knows the leader alone: a broker that hangs would keep the producer until the ISR has changed
    private static @Nullable Throwable failure(Kafka asked) {
        return catchThrowable(() -> asked.produce(ALL_IN_SYNC, Map.of("retries", 0, "enable.idempotence", false,
                "request.timeout.ms", ONE_TRY_MILLIS, "delivery.timeout.ms", 2 * ONE_TRY_MILLIS), List.of(Message.of(
                        "k", "v")))).getCause();
    }

    /// What kcat says of a record that was taken while enough replicas were in sync, which there no longer were when its time was
    /// over.
    ///
    /// @param leader the first broker that it asks: one that hangs might keep it until it is too late
    private static String complaintOfKcat(String leader) {
        return Program.of(List.of("kcat", "-P", "-E", "-b", leader, "-t", ALL_IN_SYNC, "-X", "acks=all",
                "-X", "retries=0", "-X", "request.timeout.ms=" + ENOUGH_TO_LEAVE_MILLIS)).run("v\n").err();
    }

    /// The address of the broker that takes these records.
    private String leader() {
        var leader = replicas.partitions(ALL_IN_SYNC).getFirst().leader();
        return leader.host() + ":" + leader.port();
    }

    private void awaitInSync(String topic, int broker, boolean there) {
        await().atMost(Kafka.LIMIT).ignoreExceptions().untilAsserted(() -> assertThat(replicas.partitions(topic))
                .allMatch(partition -> partition.isr().stream().anyMatch(it -> it.id() == broker) == there));
    }

    private void awaitTopicsCanBeMade(String topic) {
        kafka.create(topic + "-after", 3);
        kafka.produce(topic + "-after", Map.of(), List.of(Message.of("k", "v")));
    }
}
