package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.Load;
import io.millrace.tests.network.Host;
import io.millrace.tests.network.Network;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.parallel.ResourceLock;

/// What happens to the hosts of services, while clients reach all of them. Networks are cut: those that stay on the wrong
/// side of a cut go on to be asked, which is what tells a fence from an absence. A disk is full. ZooKeeper goes and comes
/// back elsewhere.
@ResourceLock(Network.RESOURCE)
@TestInstance(Lifecycle.PER_CLASS)
class HostsIT {

    private static final int BROKERS = 3;
    private static final String NAME = "hosts";
    private static final Path FOLDER = NetworkCluster.folder(NAME);
    /// Longer than sessions last; `-Dmillrace.outage.seconds` for patient people.
    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("millrace.outage.seconds", 8));

    /// Of the second log directory of broker 1.
    private SmallDisk disk;
    private NetworkCluster cluster;
    private Kafka kafka;
    private Replicas replicas;

    @BeforeAll
    void start() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: cutting networks needs root and network namespaces");
        disk = new SmallDisk(FOLDER.resolveSibling(NAME + "-small-disk"));
        cluster = new NetworkCluster(NAME, 2, BROKERS, Map.of("kafka.replica.lag.time.max.ms", "3000",
                "broker-1:kafka.log.dirs", FOLDER.resolve("broker-1") + "," + disk.folder()));
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
        if (disk != null) {
            disk.close();
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

    @Tag("long")
    @Test
    void aFollowerThatReachesOnlyTheControllerLeavesTheInSyncReplicas() {
        survives("cut-follower", load -> {
            int follower = (replicas.leader(load.topic(), 0) + 1) % BROKERS;
            brokersOtherThan(follower).forEach(it -> cluster.network().cut(cluster.host("broker", follower), it));
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(
                    replicas.partitions(load.topic()).getFirst().isr()).noneMatch(it -> it.id() == follower));
        });
    }

    @Tag("long")
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

    @Tag("long")
    @Test
    void aDiskThatIsFullCostsItsReplicasAndNothingElse() {
        survives("full-disk", load -> {
            long before = cluster.pid("broker", 1);
            disk.fill();
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(replicas.partitions(load.topic()))
                    .anyMatch(it -> isIn(it.isr(), 1)).anyMatch(it -> !isIn(it.isr(), 1))
                    .allMatch(it -> it.leader() != null && isIn(it.isr(), it.leader().id())));
            load.awaitProgress();
            assertThat(cluster.pid("broker", 1)).isEqualTo(before);
            disk.free();
            cluster.terminate("broker", 1);
            cluster.start("broker", 1);
        });
    }

    /// A controller and the coordinator that are started meanwhile find it as well. A session that ends before its client
    /// has found the new address costs its broker the leaderships, as any other does, and nothing else.
    @Test
    void zooKeeperComesBackAtAnotherAddress() {
        survives("zookeeper-elsewhere", load -> {
            int standby = 1 - cluster.activeController();
            List<Long> others = pidsOfAllBut(standby);
            cluster.kill("zookeeper", 0);
            restart("controller", standby);
            restart("coordinator", 1000);
            long end = System.nanoTime() + OUTAGE.toNanos();
            await().atMost(OUTAGE.plus(Kafka.LIMIT)).until(() -> {
                load.awaitProgress();
                return System.nanoTime() > end;
            });

            cluster.startZooKeeperElsewhere();

            cluster.revive();
            cluster.awaitReady("controller", standby);
            cluster.awaitReady("coordinator", 1000);
            await().atMost(Kafka.LIMIT).untilAsserted(() -> kafka.create(load.topic() + "-after", 1));
            replicas.awaitAllInSync();
            assertThat(pidsOfAllBut(standby)).isEqualTo(others);
        });
    }

    private void restart(String role, int id) {
        cluster.kill(role, id);
        cluster.launch(role, id);
    }

    /// The processes that are to live on.
    private List<Long> pidsOfAllBut(int controller) {
        return Stream.concat(Stream.of(cluster.pid("controller", 1 - controller)), IntStream.range(0, BROKERS).mapToObj(
                it -> cluster.pid("broker", it))).toList();
    }

    private static boolean isIn(List<Node> nodes, int id) {
        return nodes.stream().anyMatch(it -> it.id() == id);
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

    private void survives(String topic, Consumer<Load> faults) {
        new Trial(kafka).survives(topic, load -> {
            faults.accept(load);
            cluster.network().heal();
        });
    }
}
