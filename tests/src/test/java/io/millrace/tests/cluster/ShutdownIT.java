package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Brokers that end and begin while those who should be told of it do not listen. That they end in time is the launcher's
/// limit of a minute.
@DisturbsClusters
class ShutdownIT {

    private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

    private final Cluster cluster;
    private final Kafka kafka;
    private final Replicas replicas;
    private final Trial trial;

    ShutdownIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
        this.replicas = new Replicas(kafka);
        this.trial = new Trial(kafka);
    }

    @Test
    void aBrokerEndsCleanlyWhileZooKeeperHangs() {
        trial.survives("end-without-zookeeper", _ -> {
            cluster.stop("zookeeper", 0);
            try {
                endsCleanly(1);
            } finally {
                cluster.resume("zookeeper", 0);
            }
            cluster.start("broker", 1);
        });
    }

    @Tag("long")
    @Test
    void aBrokerEndsCleanlyWhileEveryControllerHangsAndItsNextLifeIsKnownAsNew() {
        trial.survives("end-without-controller", _ -> {
            controllers(cluster::stop);
            CompletableFuture<Void> start;
            try {
                endsCleanly(1);
                start = CompletableFuture.runAsync(() -> cluster.start("broker", 1));
            } finally {
                controllers(cluster::resume);
            }
            start.orTimeout(Kafka.LIMIT.toSeconds() * 2, TimeUnit.SECONDS).join();
        });
    }

    @Tag("long")
    @Test
    void theLastBrokerEndsCleanlyAlthoughNobodyCanTakeOver() {
        trial.survives("end-of-all", _ -> {
            for (int broker = 0; broker < 3; broker++) {
                endsCleanly(broker);
            }
            for (int broker = 0; broker < 3; broker++) {
                cluster.start("broker", broker);
            }
        });
    }

    @Test
    void aBrokerThatWasRestartedTakesOverFromTheNextThatEnds() {
        trial.survives("end-in-turn", load -> {
            endsCleanly(1);
            cluster.start("broker", 1);
            replicas.awaitAllInSync();
            endsCleanlyWhileATopicIsDeleted(0);
            endsCleanly(2);
            assertThat(replicas.partitions(load.topic())).allMatch(it -> it.leader().id() == 1);
            cluster.start("broker", 0);
            cluster.start("broker", 2);
        });
    }

    @Tag("long")
    @Test
    void aBrokerThatIsKilledAndStartedWhileEveryControllerHangsIsKnownAsNew() {
        trial.survives("restart-unseen", load -> {
            int leader = replicas.leader(load.topic(), 0);
            controllers(cluster::stop);
            cluster.kill("broker", leader);
            var start = CompletableFuture.runAsync(() -> cluster.start("broker", leader));
            controllers(cluster::resume);
            start.orTimeout(Kafka.LIMIT.toSeconds() * 2, TimeUnit.SECONDS).join();
        });
    }

    private void endsCleanlyWhileATopicIsDeleted(int broker) {
        kafka.create(new NewTopic("end-of-a-topic", 12, (short) 3));
        try (var admin = kafka.admin()) {
            var deleted = admin.deleteTopics(List.of("end-of-a-topic")).all();
            endsCleanly(broker);
            Kafka.await(deleted);
        }
    }

    private interface OnService {
        void run(String role, int id);
    }

    private static void controllers(OnService action) {
        action.run("controller", 0);
        action.run("controller", 1);
    }

    private void endsCleanly(int broker) {
        cluster.terminate("broker", broker);
        assertThat(cluster.data().resolve("broker-" + broker).resolve(CLEAN_SHUTDOWN)).exists();
    }
}
