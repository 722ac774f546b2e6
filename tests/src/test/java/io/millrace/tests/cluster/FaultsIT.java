package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Faults of processes in a cluster of three brokers, under writers and readers of all kinds that go on. Each partition
/// has three replicas, and two must have what is acknowledged.
@DisturbsClusters
class FaultsIT {

    private static final List<Integer> BROKERS = List.of(0, 1, 2);

    private final Cluster cluster;
    private final Kafka kafka;
    private final Replicas replicas;
    private final Trial trial;

    FaultsIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
        this.replicas = new Replicas(kafka);
        this.trial = new Trial(kafka);
    }

    @Test
    void aLeaderThatIsKilledIsReplacedAndComesBackInSync() {
        trial.survives("faults-kill", load -> {
            int leader = replicas.leader(load.topic(), 0);
            cluster.kill("broker", leader);
            load.awaitProgress();
            assertThat(replicas.leader(load.topic(), 0)).isNotEqualTo(leader);
            cluster.start("broker", leader);
        });
    }

    @Test
    void aLeaderThatHangsIsReplacedAndTakesNothingBackWhenItGoesOn() {
        trial.survives("faults-hang", load -> {
            int leader = replicas.leader(load.topic(), 0);
            cluster.stop("broker", leader);
            load.awaitProgress();
            cluster.resume("broker", leader);
        });
    }

    /// That no record fails is looked at in all tests; here clients are not to notice anything.
    @Tag("long")
    @Test
    void aBrokerThatIsAskedToEndHandsItsLeadershipsOver() {
        trial.survives("faults-term", load -> {
            int leader = replicas.leader(load.topic(), 0);
            cluster.terminate("broker", leader);
            assertThat(replicas.partitions(load.topic())).noneMatch(it -> it.leader().id() == leader);
            load.awaitProgress();
            cluster.start("broker", leader);
        });
    }

    @Tag("long")
    @Test
    void theActiveControllerDiesTogetherWithABroker() {
        trial.survives("faults-controller", load -> {
            int controller = cluster.activeController();
            int leader = replicas.leader(load.topic(), 0);
            cluster.kill("controller", controller);
            cluster.kill("broker", leader);
            load.awaitProgress();
            kafka.create("faults-controller-after", 1);
            kafka.produce("faults-controller-after", Map.of(), List.of(Message.of("k", "v")));
            cluster.start("controller", controller);
            cluster.start("broker", leader);
        });
    }

    @Test
    void aBrokerThatDiesWhileZooKeeperIsAwayIsReplacedOnceItIsBack() {
        trial.survives("faults-zookeeper", load -> {
            int leader = replicas.leader(load.topic(), 0);
            cluster.kill("zookeeper", 0);
            load.awaitProgress();
            cluster.kill("broker", leader);
            cluster.start("zookeeper", 0);
            load.awaitProgress();
            cluster.start("broker", leader);
        });
    }

    /// Also of a topic that was made just before, which has no copy.
    @Test
    void allBrokersDieAtOnceAndComeBackWithAllTheyAcknowledged() {
        trial.survives("faults-all", _ -> {
            var alone = IntStream.range(0, 30).mapToObj(i -> Message.of("k" + i, "v" + i)).toList();
            kafka.create("faults-all-alone", 3);
            kafka.produce("faults-all-alone", Map.of(), alone);
            BROKERS.forEach(it -> cluster.kill("broker", it));
            BROKERS.forEach(it -> cluster.start("broker", it));
            assertThat(kafka.readAll("faults-all-alone")).containsExactlyInAnyOrderElementsOf(alone);
        });
    }
}
