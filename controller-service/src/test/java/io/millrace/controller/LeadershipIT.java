package io.millrace.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.Paths;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Leaders and ISRs, from commands to znodes and streams.
class LeadershipIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void classicWalkThroughIsWrittenInKafkasWords() {
        cluster.controller(0);
        cluster.broker(0).awaitActive();
        var first = cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        create("t", List.of(1, 2, 0));
        assertThat(state("t")).isEqualTo(
                "{\"version\":1,\"leader\":1,\"leader_epoch\":0,\"controller_epoch\":1,\"isr\":[1,2,0]}");

        first.close();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state("t")).isEqualTo(
                "{\"version\":1,\"leader\":2,\"leader_epoch\":1,\"controller_epoch\":1,\"isr\":[2,0]}"));
        cluster.broker(1).awaitActive();
        propose(second, 2, 0, 1);

        assertThat(state("t")).isEqualTo(
                "{\"version\":1,\"leader\":2,\"leader_epoch\":1,\"controller_epoch\":1,\"isr\":[2,0,1]}");
    }

    @Test
    void oldToolsElectionIsCarriedOutAndItsNodeGoes() {
        cluster.controller(0);
        var first = cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        create("t", List.of(1, 2));
        ledBySecond(first, second);

        ask("{\"version\":1,\"partitions\":[{\"topic\":\"t\",\"partition\":0},{\"topic\":\"ghost\",\"partition\":5}]}");

        await().atMost(PATIENCE).until(() -> partition(second).leader() == 1);
        await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.PREFERRED_ELECTION));
        ask("no json");
        await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.PREFERRED_ELECTION));
    }

    @Test
    void electionAskedOfAnEarlierControllerIsCarriedOutByTheNext() {
        var controller = cluster.controller(0);
        var first = cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        create("t", List.of(1, 2));
        ledBySecond(first, second);
        controller.close();
        ask("{\"version\":1,\"partitions\":[{\"topic\":\"t\",\"partition\":0}]}");

        cluster.controller(1).awaitReady();

        await().atMost(PATIENCE).until(() -> partition(second).leader() == 1);
        await().atMost(PATIENCE).until(() -> !cluster.exists(Paths.PREFERRED_ELECTION));
    }

    @Test
    void leaderWhoseStateWasTouchedByOthersGetsItsIsrAllTheSame() {
        cluster.controller(0);
        cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        create("t", List.of(2, 1));
        TestCluster.get(cluster.zookeeper().set(Paths.partitionState("t", 0), state("t"), 0));

        assertThat(propose(second, 2)).isEqualTo(Errors.INVALID_UPDATE_VERSION);
        await().atMost(PATIENCE).until(() -> partition(second).partitionEpoch() == 1);
        assertThat(propose(second, 2)).isEqualTo(Errors.NONE);
        assertThat(propose(second, 2, 1)).isEqualTo(Errors.NONE);

        assertThat(state("t")).contains("\"isr\":[2,1]");
        assertThat(cluster.read(Paths.partitionState("t", 0)).version()).isEqualTo(3);
    }

    @Test
    void brokerThatStopsHandsOverToTheOtherAndIsAcceptedAsALeaderInItsNextLife() {
        cluster.controller(0);
        var first = cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        var assignments = Map.of(0, List.of(1, 2), 1, List.of(2, 1), 2, List.of(1, 2));
        cluster.send(new CreateTopics(List.of(new NewTopic("t", -1, -1, assignments, Map.of())), false, 10_000));

        assertThat(cluster.send(new ControlledShutdown(Role.BROKER, 1, first.epoch())).remaining()).isZero();
        assertThat(second.image().topic("t").orElseThrow().partitions()).allMatch(partition -> partition.leader() == 2
                && partition.isr().equals(List.of(2)));
        assertThat(propose(second, 2, 1)).isEqualTo(Errors.INELIGIBLE_REPLICA);
        first.close();
        var again = cluster.broker(1).awaitActive();
        for (int partition = 0; partition < 3; partition++) {
            assertThat(propose(second, partition, List.of(2, 1))).isEqualTo(Errors.NONE);
        }
        assertThat(cluster.send(new ControlledShutdown(Role.BROKER, 2, second.epoch())).remaining()).isZero();

        assertThat(again.image().topic("t").orElseThrow().partitions()).allMatch(partition -> partition.leader() == 1);
    }

    @Test
    void uncleanElectionThatIsSwitchedOnForAllBrokersGivesALeaderToWhoHasNone() {
        cluster.controller(0);
        var first = cluster.broker(1).awaitActive();
        var second = cluster.broker(2).awaitActive();
        create("t", List.of(1, 2));
        propose(first, 1);
        first.close();
        await().atMost(PATIENCE).until(() -> !partition(second).hasLeader());
        assertThat(partition(second).isr()).containsExactly(1);

        cluster.send(new AlterConfigs(List.of(new ConfigAlteration(ConfigResource.allBrokers(), List.of(new Op(
                "unclean.leader.election.enable", "true", OpType.SET)))), false, false));

        await().atMost(PATIENCE).until(() -> partition(second).leader() == 2);
        assertThat(partition(second).isr()).containsExactly(2);
    }

    /// The state, as ZooKeeper has it.
    private String state(String topic) {
        return cluster.read(Paths.partitionState(topic, 0)).data();
    }

    private static PartitionImage partition(TestNode node) {
        return node.image().partition("t", 0).orElseThrow();
    }

    private void create(String name, List<Integer> replicas) {
        cluster.send(new CreateTopics(List.of(new NewTopic(name, -1, -1, Map.of(0, replicas), Map.of())), false,
                10_000));
    }

    private void ask(String json) {
        TestCluster.get(cluster.zookeeper().create(Paths.PREFERRED_ELECTION, json));
    }

    private void ledBySecond(TestNode first, TestNode second) {
        first.close();
        await().atMost(PATIENCE).until(() -> partition(second).leader() == 2);
        cluster.broker(1).awaitActive();
        assertThat(propose(second, 2, 1)).isEqualTo(Errors.NONE);
    }

    private Errors propose(TestNode leader, Integer... isr) {
        return propose(leader, 0, List.of(isr));
    }

    private Errors propose(TestNode leader, int partition, List<Integer> isr) {
        var topic = leader.image().topic("t").orElseThrow();
        var now = topic.partitions().get(partition);
        var proposal = new Proposal(topic.id(), partition, now.leaderEpoch(), now.partitionEpoch(), isr.stream()
                .map(id -> new InSync(id, AlterPartition.ANY_EPOCH))
                .toList());
        var result = cluster.send(new AlterPartition(now.leader(), leader.epoch(), List.of(proposal)));
        var outcome = result.outcomes().getFirst();
        if (outcome.errorCode() == Errors.NONE.code()) {
            await().atMost(PATIENCE).until(() -> leader.image().partition("t", partition).orElseThrow()
                    .partitionEpoch() >= outcome.partitionEpoch());
        }
        return Errors.forCode(outcome.errorCode());
    }
}
