package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.Load;
import io.millrace.tests.network.Host;
import io.millrace.tests.network.Network;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// Networks that are cut between services, while clients reach all of them: those that stay on the wrong side of a cut
/// go on to be asked, which is what tells a fence from an absence.
@TestInstance(Lifecycle.PER_CLASS)
class CutsIT {

    private static final int BROKERS = 3;

    private NetworkCluster cluster;
    private Kafka kafka;
    private Replicas replicas;

    @BeforeAll
    void start() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: cutting networks needs root and network namespaces");
        cluster = new NetworkCluster("cuts", 2, BROKERS, Map.of("kafka.replica.lag.time.max.ms", "3000"));
        kafka = new Kafka(cluster.bootstrap());
        replicas = new Replicas(kafka);
    }

    @AfterEach
    void heal() {
        if (cluster != null) {
            cluster.network().heal();
        }
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aLeaderThatOnlyItsClientsReachIsReplacedAndNothingItTookAloneWasAcknowledged() {
        survives("cut-leader", load -> {
            int leader = replicas.leader(load.topic(), 0);
            isolate("broker", leader);
            awaitReplaced(load, leader);
        });
    }

    @Test
    void aFollowerThatReachesOnlyTheControllerLeavesTheInSyncReplicas() {
        survives("cut-follower", load -> {
            int follower = (replicas.leader(load.topic(), 0) + 1) % BROKERS;
            brokersOtherThan(follower).forEach(it -> cluster.network().cut(cluster.host("broker", follower), it));
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(
                    replicas.partitions(load.topic()).getFirst().isr()).noneMatch(it -> it.id() == follower));
        });
    }

    @Test
    void anActiveControllerThatNobodyReachesIsReplaced() {
        survives("cut-controller", load -> {
            int before = cluster.activeController();
            isolate("controller", before);
            await().atMost(Kafka.LIMIT).until(() -> cluster.isActiveController(1 - before));
            kafka.create("cut-controller-after", 1);
            int leader = replicas.leader(load.topic(), 0);
            cluster.kill("broker", leader);
            awaitReplaced(load, leader);
            cluster.start("broker", leader);
        });
    }

    private void isolate(String role, int id) {
        cluster.othersThan(role, id).forEach(it -> cluster.network().cut(cluster.host(role, id), it));
    }

    private List<Host> brokersOtherThan(int id) {
        return IntStream.range(0, BROKERS).filter(it -> it != id)
                .mapToObj(it -> cluster.host("broker", it)).toList();
    }

    private void awaitReplaced(Load load, int leader) {
        await().atMost(Kafka.LIMIT).ignoreExceptions().untilAsserted(
                () -> assertThat(replicas.leader(load.topic(), 0)).isNotEqualTo(leader));
    }

    private void survives(String topic, Consumer<Load> cuts) {
        try (var load = Load.start(kafka, topic, BROKERS)) {
            load.awaitProgress();
            cuts.accept(load);
            cluster.network().heal();
            replicas.awaitAllInSync();
            load.awaitProgress();
            var report = load.finish();
            assertThat(report.violations()).as(report.text()).isEmpty();
            assertThat(load.failures()).as("records that clients gave up").isEmpty();
        }
    }
}
