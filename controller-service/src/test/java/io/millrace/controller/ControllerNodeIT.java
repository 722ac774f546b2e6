package io.millrace.controller;

import static io.millrace.controller.TestCluster.PATIENCE;
import static io.millrace.controller.TestCluster.get;
import static io.millrace.controller.TestCluster.leader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.znode.ConfigNode;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.PartitionStateNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.TopicNode;
import io.millrace.metadata.zookeeper.SessionState;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerNodeIT {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void createdTopicIsInZooKeeperAsKafkaKeepsItAndInTheImageOfEveryNodeWhenTheAnswerComes() {
        cluster.controller(0);
        var one = cluster.broker(1).awaitActive();
        var two = cluster.broker(2).awaitActive();

        var result = cluster.send(create("t", 2, Map.of("retention.ms", "5")));

        assertThat(result.topics()).singleElement().satisfies(topic -> {
            assertThat(topic.errorCode()).isEqualTo(Errors.NONE.code());
            assertThat(topic.partitions()).isEqualTo(2);
        });
        for (var node : List.of(one, two)) {
            assertThat(node.image().topic("t")).isPresent();
            assertThat(node.image().topicConfig("t")).isEqualTo(Map.of("retention.ms", "5"));
        }
        var id = one.image().topic("t").orElseThrow().id();
        assertThat(TopicNode.parse(cluster.read(Paths.topic("t")).data()).id()).isEqualTo(id);
        for (int partition = 0; partition < 2; partition++) {
            var state = PartitionStateNode.parse(cluster.read(Paths.partitionState("t", partition)).data());
            assertThat(state.leader()).isEqualTo(one.image().partition("t", partition).orElseThrow().leader());
            assertThat(state.leaderEpoch()).isZero();
            assertThat(state.controllerEpoch()).isEqualTo(1);
        }
        assertThat(ConfigNode.parse(cluster.read(Paths.config(ConfigResource.topic("t"))).data()).values()).isEqualTo(
                Map.of(
                        "retention.ms", "5"));
    }

    @Test
    void answerSaysTimedOutWhereAnActiveNodeHasNotAppliedTheTopicThatExistsAllTheSame() {
        cluster.controller(0);
        cluster.broker(1).awaitActive();
        var slow = cluster.broker(2).awaitActive();
        slow.stall();

        var result = cluster.send(new CreateTopics(List.of(new NewTopic("t", 1, 1, Map.of(), Map.of())), false, 300));

        assertThat(result.topics()).singleElement().satisfies(topic -> assertThat(topic.errorCode()).isEqualTo(
                Errors.REQUEST_TIMED_OUT.code()));
        assertThat(cluster.exists(Paths.topic("t"))).isTrue();
        slow.resume();
    }

    @Test
    void topicThatAnOldToolCreatedGetsAnIdAndLeaders() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();

        cluster.createTopicAsAnOldTool("old", "{\"0\":[1],\"1\":[1,2]}");

        await().atMost(PATIENCE).until(() -> leader(broker.image(), "old") == 1);
        var topic = broker.image().topic("old").orElseThrow();
        assertThat(topic.partitions().get(1).isr()).containsExactly(1);
        assertThat(topic.partitions().get(1).underReplicated()).isTrue();
        var node = TopicNode.parse(cluster.read(Paths.topic("old")).data());
        assertThat(node.id()).isEqualTo(topic.id());
        assertThat(cluster.read(Paths.topic("old")).data()).contains("\"version\":3");
        assertThat(cluster.exists(Paths.partitionState("old", 1))).isTrue();
    }

    @Test
    void idThatAnOldToolErasedIsWrittenBackEvenAcrossAFailover() {
        var controller = cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));
        var id = broker.image().topic("t").orElseThrow().id();

        cluster.overwrite(Paths.topic("t"), "{\"version\":2,\"partitions\":{\"0\":[1],\"1\":[1]}}");

        await().atMost(PATIENCE).until(() -> broker.image().partition("t", 1).filter(partition -> partition
                .leader() == 1)
                .isPresent());
        assertThat(TopicNode.parse(cluster.read(Paths.topic("t")).data()).id()).isEqualTo(id);

        controller.close();
        cluster.overwrite(Paths.topic("t"), "{\"version\":1,\"partitions\":{\"0\":[1],\"1\":[1]}}");
        cluster.controller(0).awaitReady();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(TopicNode.parse(cluster.read(Paths.topic("t")).data())
                .id())
                .isEqualTo(id));
    }

    @Test
    void partitionsThatAreKnownStayWhereTheyAreWhateverAToolWrites() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 2, Map.of()));
        var before = broker.image().topic("t").orElseThrow();

        cluster.overwrite(Paths.topic("t"), "{\"version\":2,\"partitions\":{\"0\":[2]}}");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(TopicNode.parse(cluster.read(Paths.topic("t")).data()))
                .isEqualTo(new TopicNode(before.id(), Map.of(0, List.of(1), 1, List.of(1)))));
        assertThat(broker.image().topic("t")).contains(before);
    }

    @Test
    void topicWhoseNodeCannotBeReadAnyMoreIsNotTakenForDeletedAfterAFailover() {
        var controller = cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));
        var id = broker.image().topic("t").orElseThrow().id();
        controller.close();
        cluster.overwrite(Paths.topic("t"), "rubbish");

        cluster.controller(0).awaitReady();

        await().atMost(PATIENCE).until(() -> broker.image().version().controllerEpoch() == 2);
        assertThat(broker.image().topic("t")).contains(TopicImage.of("t", id));
        assertThat(cluster.send(create("t", 1, Map.of())).topics()).extracting(TopicOutcome::errorCode)
                .containsExactly(Errors.TOPIC_ALREADY_EXISTS.code());
        assertThat(cluster.send(new CreatePartitions(List.of(new PartitionsSpec("t", 2, List.of())), false, 1_000))
                .topics()).extracting(TopicOutcome::errorCode).containsExactly(Errors.UNKNOWN_SERVER_ERROR.code());
        cluster.overwrite(Paths.topic("t"), "{\"version\":2,\"partitions\":{\"0\":[1]}}");
        await().atMost(PATIENCE).until(() -> leader(broker.image(), "t") == 1);
        assertThat(broker.image().topic("t").orElseThrow().id()).isEqualTo(id);
    }

    @Test
    void deletionByCommandAndByZnodeLeavesNothing() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("a", 3, Map.of("retention.ms", "5")));
        cluster.send(create("b", 3, Map.of()));

        var result = cluster.send(new DeleteTopics(List.of(TopicRef.named("a"), TopicRef.named("none")), 10_000));
        get(cluster.zookeeper().create(Paths.deleteTopic("b"), ""));

        assertThat(result.topics()).extracting(topic -> topic.errorCode()).containsExactly(Errors.NONE.code(),
                Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        await().atMost(PATIENCE).until(() -> broker.image().topics().size() == 0);
        await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.deleteTopic("b")));
        for (var name : List.of("a", "b")) {
            assertThat(cluster.exists(Paths.topic(name))).isFalse();
            assertThat(cluster.exists(Paths.config(ConfigResource.topic(name)))).isFalse();
            assertThat(cluster.exists(Paths.topicId(name))).isFalse();
        }
        assertThat(broker.image().configs().byResource()).isEmpty();
    }

    @Test
    void growthAndConfigurationAreCarriedOut() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));

        var grown = cluster.send(new CreatePartitions(List.of(new PartitionsSpec("t", 3, List.of())), false, 10_000));
        var altered = cluster.send(new AlterConfigs(List.of(new ConfigAlteration(ConfigResource.topic("t"), List.of(
                new Op(
                        "cleanup.policy", "compact", OpType.APPEND)))), false, false));

        assertThat(grown.topics()).singleElement().satisfies(topic -> assertThat(topic.partitions()).isEqualTo(3));
        assertThat(altered.resources()).singleElement().satisfies(resource -> assertThat(resource.errorCode())
                .isZero());
        assertThat(broker.image().topicConfig("t")).containsEntry("cleanup.policy", "delete,compact");
        assertThat(broker.image().topic("t").orElseThrow().partitions()).hasSize(3);
        assertThat(get(cluster.zookeeper().children(Paths.CONFIG_CHANGES))).hasSize(1);
    }

    @Test
    void requestForFarTooManyPartitionsIsRefusedAndALargeOneIsNot() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();

        var huge = cluster.send(new CreateTopics(List.of(new NewTopic("a", 6_000, 1, Map.of(), Map.of()), new NewTopic(
                "b",
                4_001, 1, Map.of(), Map.of())), false, 10_000));
        var large = cluster.send(create("large", 2_000, Map.of()));
        var grown = cluster.send(new CreatePartitions(List.of(new PartitionsSpec("large", 2_000_000, List.of())), false,
                10_000));

        assertThat(huge.topics()).hasSize(2).allSatisfy(topic -> assertThat(topic.errorCode()).isEqualTo(
                Errors.POLICY_VIOLATION.code()));
        assertThat(large.topics()).singleElement().satisfies(topic -> assertThat(topic.errorCode()).isZero());
        assertThat(grown.topics()).singleElement().satisfies(topic -> assertThat(topic.errorCode()).isEqualTo(
                Errors.POLICY_VIOLATION.code()));
        assertThat(broker.image().topic("large").orElseThrow().partitions()).hasSize(2_000);
    }

    @Test
    void configurationThatAToolWroteReachesTheNodes() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));

        cluster.overwrite(Paths.config(ConfigResource.topic("t")),
                "{\"version\":1,\"config\":{\"retention.ms\":\"7\"}}");

        await().atMost(PATIENCE).until(() -> broker.image().topicConfig("t").equals(Map.of("retention.ms", "7")));
    }

    @Test
    void partitionGoesOfflineWithItsOnlyBrokerAndComesBackWithIt() {
        cluster.controller(0);
        var watcher = cluster.broker(2).awaitActive();
        var broker = cluster.broker(1).awaitActive();
        cluster.send(new CreateTopics(List.of(new NewTopic("t", -1, -1, Map.of(0, List.of(1)), Map.of())), false,
                10_000));

        broker.kill();
        await().atMost(PATIENCE).until(() -> watcher.image().broker(1).filter(node -> node.state() == NodeState.FENCED)
                .isPresent());
        var offline = watcher.image().partition("t", 0).orElseThrow();
        broker.close();
        await().atMost(PATIENCE).until(() -> watcher.image().broker(1).isEmpty());
        cluster.broker(1).awaitActive();

        assertThat(offline.leader()).isEqualTo(-1);
        assertThat(offline.isr()).containsExactly(1);
        await().atMost(PATIENCE).until(() -> leader(watcher.image(), "t") == 1);
        assertThat(watcher.image().partition("t", 0).orElseThrow().leaderEpoch()).isEqualTo(offline.leaderEpoch() + 1);
    }

    @Test
    void groupTopicIsMadeForTheFirstCoordinatorAndItsShardsFollowTheLivingOnes() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.coordinator(1000).awaitActive();

        await().atMost(PATIENCE).until(() -> broker.image().groupShards().ownedBy(1000).size() == 5);
        assertThat(broker.image().topic(ShardKind.GROUP.topic()).orElseThrow().partitions()).hasSize(5);
        assertThat(broker.image().topicConfig(ShardKind.GROUP.topic())).containsEntry("cleanup.policy", "compact");
        var second = cluster.coordinator(1001).awaitActive();
        await().atMost(PATIENCE).until(() -> successions(broker.image(), 1001).size() == 2);
        var prepared = new ShardsPrepared(1001, broker.image().coordinator(1001).orElseThrow().epoch(), successions(
                broker.image(), 1001));
        assertThat(cluster.send(prepared).handedOver()).isEqualTo(2);
        assertThat(cluster.send(prepared).handedOver()).as("repeated").isZero();
        await().atMost(PATIENCE).until(() -> broker.image().groupShards().ownedBy(1001).size() == 2);
        second.close();
        await().atMost(PATIENCE).until(() -> broker.image().groupShards().ownedBy(1000).size() == 5);
        assertThat(broker.image().groupShards().all()).extracting(ShardImage::epoch).containsOnly(1, 3);
        assertThat(cluster.read(Paths.shards(ShardKind.GROUP)).data()).contains("\"epoch\":3");
    }

    private static List<ShardsPrepared.Prepared> successions(ClusterImage image, int coordinator) {
        return image.groupShards().all().stream().filter(shard -> shard.successor() == coordinator).map(
                shard -> new ShardsPrepared.Prepared(ShardKind.GROUP, shard.shard(), shard.epoch() + 1)).toList();
    }

    @Test
    void topicOfTransactionsIsMadeAsTheSettingsSayOnceSomebodyAsksForIt() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.coordinator(1000).awaitActive();
        assertThat(broker.image().topic(ShardKind.TRANSACTION.topic())).isEmpty();

        cluster.send(new CreateTopics(List.of(new NewTopic(ShardKind.TRANSACTION.topic(), CreateTopics.DEFAULT,
                CreateTopics.DEFAULT, Map.of(), Map.of())), false, 1_000));

        await().atMost(PATIENCE).until(() -> broker.image().transactionShards().ownedBy(1000).size() == 4);
        assertThat(broker.image().topicConfig(ShardKind.TRANSACTION.topic()))
                .containsEntry("cleanup.policy", "compact").containsEntry("min.insync.replicas", "1");
        assertThat(cluster.read(Paths.shards(ShardKind.TRANSACTION)).data()).contains("\"owner\":1000");
    }

    @Test
    void producerIdsAreGivenOnceAcrossFailovers() {
        var controller = cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        var first = cluster.send(new AllocateProducerIds(1, broker.epoch()));
        controller.close();
        cluster.controller(1).awaitReady();

        var second = cluster.send(new AllocateProducerIds(1, broker.epoch()));

        assertThat(first.first()).isZero();
        assertThat(first.count()).isEqualTo(1000);
        assertThat(second.first()).isEqualTo(1000);
    }

    @Test
    void brokerThatShutsDownKeepsWhatNobodyElseHasAndIsShownSo() {
        cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));

        var result = cluster.send(new ControlledShutdown(Role.BROKER, 1, broker.epoch()));

        assertThat(result.remaining()).as("with other replicas").isZero();
        await().atMost(PATIENCE).until(() -> broker.image().broker(1).filter(node -> node
                .state() == NodeState.SHUTTING_DOWN).isPresent());
        assertThat(leader(broker.image(), "t")).isEqualTo(1);
    }

    @Test
    void standbyTakesOverWhenTheActiveOneStopsAndLeadersStay() {
        var first = cluster.controller(0);
        var broker = cluster.broker(1).awaitActive();
        cluster.send(create("t", 1, Map.of()));
        var standby = cluster.controller(1);
        standby.awaitReady();

        first.close();

        await().atMost(PATIENCE).until(() -> broker.image().controllerId() == 1);
        assertThat(broker.image().partition("t", 0).orElseThrow().leaderEpoch()).isZero();
        assertThat(broker.image().version().controllerEpoch()).isEqualTo(2);
        assertThat(ControllerNode.parse(cluster.read(Paths.CONTROLLER).data()).id()).isEqualTo(1);
        assertThat(cluster.send(create("u", 1, Map.of())).topics()).allMatch(topic -> topic.succeeded());
    }

    @Test
    void lostSessionEndsTheTermAndTheOfficeIsWonAgain() throws Exception {
        cluster.controller(0).awaitReady();
        cluster.server().stop();
        await().atMost(PATIENCE).until(() -> cluster.zookeeper()
                .state() == SessionState.LOST);

        cluster.server().restart();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.read(Paths.CONTROLLER_EPOCH).data()).isEqualTo(
                "2"));
        var broker = cluster.broker(1).awaitActive();
        assertThat(broker.image().version().controllerEpoch()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void stateThatSomebodyWroteOverIsReadAgainAndTheNextProposalHolds() {
        cluster.controller(0);
        var leader = cluster.broker(1).awaitActive();
        cluster.broker(2).awaitActive();
        var wanted = new NewTopic("t", CreateTopics.DEFAULT, CreateTopics.DEFAULT, Map.of(0, List.of(1, 2)), Map.of());
        cluster.send(new CreateTopics(List.of(wanted), false, 10_000));
        var path = Paths.partitionState("t", 0);
        cluster.overwrite(path, cluster.read(path).data());
        var topic = leader.image().topic("t").orElseThrow();
        var known = topic.partitions().getFirst();

        var stale = propose(leader, topic.id(), known);
        assertThat(stale.errorCode()).isEqualTo(Errors.INVALID_UPDATE_VERSION.code());
        await().atMost(PATIENCE).until(() -> leader.image().partition("t", 0).orElseThrow().partitionEpoch() == known
                .partitionEpoch() + 1);
        var fresh = propose(leader, topic.id(), leader.image().partition("t", 0).orElseThrow());

        assertThat(fresh.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(fresh.isr()).containsExactly(1);
        assertThat(cluster.read(path).version()).isEqualTo(fresh.partitionEpoch());
    }

    private AlterPartition.Outcome propose(TestNode leader, UUID topic, PartitionImage known) {
        var isr = List.of(new AlterPartition.InSync(1, leader.epoch()));
        return cluster.send(new AlterPartition(1, leader.epoch(), List.of(new AlterPartition.Proposal(topic, 0, known
                .leaderEpoch(), known.partitionEpoch(), isr)))).outcomes().getFirst();
    }

    /// A controller comes into office and finds it; what an old tool writes while it is in office it finds as well.
    @Test
    void rubbishCostsNothingButItself() {
        cluster.controller(0).close();
        var nobody = "{\"version\":1,\"leader\":99,\"leader_epoch\":3,\"controller_epoch\":1,\"isr\":[99]}";
        get(cluster.zookeeper().create(Paths.topic("broken"), "{\"version\":2,\"partitions\":"));
        get(cluster.zookeeper().create(Paths.topic("empty"), "{\"version\":2,\"partitions\":{}}"));
        get(cluster.zookeeper().create(Paths.topic("ghost-broker"), "{\"version\":2,\"partitions\":{\"0\":[99]}}"));
        get(cluster.zookeeper().create(Paths.topic("strange"), "{\"version\":2,\"partitions\":{\"0\":[99,1]}}"));
        get(cluster.zookeeper().ensure(Paths.partition("strange", 0)));
        get(cluster.zookeeper().create(Paths.partitionState("strange", 0), nobody));
        get(cluster.zookeeper().create("/config/topics/badconfig", "not json"));
        get(cluster.zookeeper().create("/brokers/ids/x", "{}"));
        get(cluster.zookeeper().create("/brokers/ids/7", "{\"version\":99}"));
        get(cluster.zookeeper().create(Paths.deleteTopic("ghost"), ""));
        get(cluster.zookeeper().ensure(Paths.partition("half", 0)));
        get(cluster.zookeeper().create(Paths.deleteTopic("half"), ""));
        get(cluster.zookeeper().create(Paths.REASSIGN_PARTITIONS, "{\"version\":1,\"partitions\":[{\"topic\""));

        try (var warnings = Warnings.of("io.millrace.controller")) {
            cluster.controller(0).awaitReady();
            var broker = cluster.broker(1).awaitActive();

            assertThat(cluster.send(create("good", 1, Map.of())).topics()).allMatch(topic -> topic.succeeded());
            assertThat(broker.image().topics().byName().keySet()).containsExactlyInAnyOrder("good", "ghost-broker",
                    "strange");
            assertThat(broker.image().partition("strange", 0).orElseThrow().hasLeader()).isFalse();
            await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.deleteTopic("ghost")) && !cluster.exists(Paths
                    .topic("half")) && !cluster.exists(Paths.REASSIGN_PARTITIONS));
            for (var path : List.of(Paths.topic("broken"), "/config/topics/badconfig", "/brokers/ids/7",
                    Paths.REASSIGN_PARTITIONS)) {
                assertThat(warnings.with("path=" + path + " ")).as(path).hasSize(1);
            }
            assertThat(cluster.read(Paths.topic("broken")).data()).endsWith("\"partitions\":");

            get(cluster.zookeeper().create(Paths.REASSIGN_PARTITIONS, "{\"version\":77}"));
            await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.REASSIGN_PARTITIONS));
            get(cluster.zookeeper().create(Paths.REASSIGN_PARTITIONS,
                    "{\"version\":1,\"partitions\":[{\"topic\":\"good\",\"partition\":0,\"replicas\":[1]},"
                            + "{\"topic\":\"broken\",\"partition\":0,\"replicas\":[1]}]}"));
            await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.REASSIGN_PARTITIONS));
        }
    }

    private static CreateTopics create(String name, int partitions, Map<String, String> configs) {
        return new CreateTopics(List.of(new NewTopic(name, partitions, 1, Map.of(), configs)), false, 10_000);
    }
}
