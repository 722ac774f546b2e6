package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.image.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three brokers replicate over real sockets. The test decides who leads.
class ReplicationIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path directory;
    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.of(directory, 3, Map.of("replica.fetch.wait.max.ms", "200", "replica.fetch.backoff.ms",
                "100", "replica.fetch.max.bytes", "600"));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void produce(int leader, String topic, int partition, int batches) throws Exception {
        for (int i = 0; i < batches; i++) {
            cluster.produce(leader, topic, partition, 1, "a-" + i, "b-" + i);
        }
    }

    private void awaitEqual(String topic, int partition, int leader, int... followers) {
        for (int follower : followers) {
            await().atMost(SOON).untilAsserted(() -> assertThat(cluster.content(follower, topic, partition)).isEqualTo(
                    cluster.content(leader, topic, partition)));
        }
    }

    @Test
    void followersHaveEveryBatchOfTheirLeadersByteForByte() throws Exception {
        cluster.create("t", 20, 0, 1, 2);
        for (int i = 0; i < 20; i++) {
            produce(0, "t", i, 5);
        }

        for (int i = 0; i < 20; i++) {
            awaitEqual("t", i, 0, 1, 2);
            assertThat(cluster.log(1, "t", i).logEndOffset()).isEqualTo(10);
        }
        assertThat(cluster.meters(1).get("kafka.server.brokertopicmetrics.replicationbytesin").counter().count())
                .isPositive();
    }

    @Test
    void whatOnlyADeposedLeaderHasIsCutOffWhenItFollows() throws Exception {
        cluster.create("t", 1, 0, 1, 2);
        produce(0, "t", 0, 3);
        awaitEqual("t", 0, 0, 1, 2);
        cluster.stop(1);
        cluster.stop(2);
        produce(0, "t", 0, 4);
        var lost = cluster.content(0, "t", 0);
        cluster.stop(0);
        cluster.restart(1);
        cluster.restart(2);
        cluster.elect("t", 0, 1, 1, 2);
        produce(1, "t", 0, 2);

        cluster.restart(0);

        awaitEqual("t", 0, 1, 0, 2);
        assertThat(cluster.content(0, "t", 0)).hasSize(5).startsWith(lost.subList(0, 3).toArray(String[]::new))
                .doesNotContainAnyElementsOf(lost.subList(3, 7));
        assertThat(cluster.log(0, "t", 0).endOffsetFor(0).endOffset()).isEqualTo(6);
    }

    @Test
    void aFollowerThatWasKilledGoesOnWhereItsLogEnds() throws Exception {
        cluster.create("t", 3, 0, 1);
        produce(0, "t", 0, 10);
        awaitEqual("t", 0, 0, 1);
        var left = cluster.kill(1);
        produce(0, "t", 0, 10);

        cluster.restart(1, left);

        awaitEqual("t", 0, 0, 1);
        assertThat(cluster.log(1, "t", 0).logEndOffset()).isEqualTo(40);
    }

    @Test
    void aLeaderThatComesBackElsewhereIsFollowedAgain() throws Exception {
        cluster.create("t", 2, 0, 1);
        produce(0, "t", 1, 2);
        awaitEqual("t", 1, 0, 1);
        cluster.stop(0);
        cluster.restart(0);

        produce(0, "t", 1, 2);

        awaitEqual("t", 1, 0, 1);
    }

    @Test
    void aNewPartitionIsFetchedThoughItsLeaderWaitsForOthersToGrow() throws Exception {
        cluster.create("idle", 1, 0, 1);
        awaitEqual("idle", 0, 0, 1);
        for (int i = 0; i < 5; i++) {
            cluster.create("t" + i, 1, 0, 1);
            produce(0, "t" + i, 0, 1);
            awaitEqual("t" + i, 0, 0, 1);
        }
    }

    @Test
    void aPausedFollowerBeginsAnewWhereItsLeaderBeginsNow() throws Exception {
        cluster.create("t", 1, 0, 1);
        produce(0, "t", 0, 3);
        awaitEqual("t", 0, 0, 1);
        cluster.stop(1);
        produce(0, "t", 0, 10);
        cluster.log(0, "t", 0).updateHighWatermark(26);
        cluster.log(0, "t", 0).deleteRecordsBefore(20);

        cluster.restart(1);

        await().atMost(SOON).untilAsserted(() -> assertThat(cluster.log(1, "t", 0).logEndOffset()).isEqualTo(26));
        assertThat(cluster.log(1, "t", 0).logStartOffset()).isEqualTo(20);
        awaitEqual("t", 0, 0, 1);
    }

    @Test
    void aProducerThatWaitsForAllIsAnsweredOnceFollowersHaveItAndTheyHearOfThat() throws Exception {
        cluster.create("t", 1, 0, 1, 2);

        assertThat(cluster.produce(0, "t", 0, -1, "a")).isZero();

        assertThat(cluster.log(1, "t", 0).logEndOffset()).isEqualTo(1);
        assertThat(cluster.log(2, "t", 0).logEndOffset()).isEqualTo(1);
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(cluster.log(1, "t", 0).highWatermark()).isEqualTo(1);
            assertThat(cluster.log(2, "t", 0).highWatermark()).isEqualTo(1);
        });
    }

    @Test
    void aThrottledFollowerIsHeldBackAtEitherEndAndCatchesUpOnceItIsNot() throws Exception {
        for (var end : List.of("leader", "follower")) {
            int throttled = end.equals("leader") ? 0 : 1;
            var topic = "t-" + end;
            cluster.create(topic, 1, 0, 1);
            awaitEqual(topic, 0, 0, 1);
            cluster.stop(1);
            cluster.elect(topic, 0, 0, 0);
            produce(0, topic, 0, 50);
            cluster.configure(ConfigResource.broker(throttled), Map.of(end + ".replication.throttled.rate", "1"));
            cluster.configure(ConfigResource.topic(topic), Map.of(end + ".replication.throttled.replicas", "0:"
                    + throttled, "segment.bytes", "1048576"));
            cluster.restart(1);
            // Some of it comes before anything was counted.
            await().during(Duration.ofSeconds(1)).atMost(SOON).untilAsserted(() -> assertThat(
                    cluster.log(1, topic, 0).logEndOffset()).as(end).isLessThan(80));

            cluster.configure(ConfigResource.broker(throttled), Map.of());

            awaitEqual(topic, 0, 0, 1);
            assertThat(cluster.log(1, topic, 0).logEndOffset()).isEqualTo(100);
        }
    }

    @Test
    void aDeletedTopicIsFollowedNoLongerAndItsSuccessorIsAnotherTopic() throws Exception {
        cluster.create("t", 1, 0, 1);
        produce(0, "t", 0, 5);
        awaitEqual("t", 0, 0, 1);
        cluster.delete("t");
        cluster.create("t", 1, 1, 0);
        cluster.produce(1, "t", 0, 1, "new");

        awaitEqual("t", 0, 1, 0);
        assertThat(cluster.log(0, "t", 0).logEndOffset()).isEqualTo(1);
    }

    @Test
    void leadersChangeUnderLoadAndAllReplicasEndUpEqual() throws Exception {
        cluster.create("t", 4, 0, 1, 2);
        var leaders = new ArrayList<>(List.of(0, 0, 0, 0));
        for (int round = 0; round < 12; round++) {
            for (int partition = 0; partition < 4; partition++) {
                produce(leaders.get(partition), "t", partition, 3);
            }
            int moved = round % 4;
            int next = (leaders.get(moved) + 1 + round % 2) % 3;
            leaders.set(moved, next);
            cluster.elect("t", moved, next, next);
        }

        for (int partition = 0; partition < 4; partition++) {
            produce(leaders.get(partition), "t", partition, 1);
            int leader = leaders.get(partition);
            awaitEqual("t", partition, leader, (leader + 1) % 3, (leader + 2) % 3);
        }
    }
}
