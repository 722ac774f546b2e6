package io.millrace.standalone.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterPlanTest {

    private static final Path DATA = Path.of("/data");

    private static ClusterPlan plan(Mode mode, int controllers, int brokers, int coordinators) {
        return new ClusterPlan(mode, controllers, brokers, coordinators, 9092, Map.of("kafka.num.partitions", "3"));
    }

    @Test
    void noTwoInstancesShareAPortEvenInTheLargestCluster() {
        var ports = plan(Mode.CLUSTER, 10, 20, 20).instances().stream().flatMap(it -> Stream.of(it.port(), it
                .httpPort()))
                .filter(Objects::nonNull).toList();

        assertThat(new HashSet<>(ports)).hasSize(ports.size());
        assertThat(ports).allSatisfy(it -> assertThat(it).isBetween(9092, 9092 + Ports.SPAN - 1));
    }

    @Test
    void theFirstBrokerListensAtTheBase() {
        assertThat(plan(Mode.CLUSTER, 1, 2, 1).bootstrap()).isEqualTo("127.0.0.1:9092,127.0.0.1:9093");
    }

    @Test
    void coordinatorsCountFromAThousandAndTheOthersFromZero() {
        assertThat(plan(Mode.CLUSTER, 1, 2, 2).instances()).extracting(Instance::name).containsExactly("zookeeper-0",
                "controller-0", "broker-0", "broker-1", "coordinator-1000", "coordinator-1001", "admin-0");
    }

    @Test
    void standaloneIsOneProcessAndClusterOneForEach() {
        assertThat(plan(Mode.STANDALONE, 1, 1, 1).processes()).containsExactly("standalone");
        assertThat(plan(Mode.CLUSTER, 1, 1, 1).processes()).hasSize(5);
    }

    @Test
    void numbersThatMakeNoClusterAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> plan(Mode.STANDALONE, 1, 2, 1)).withMessageContaining(
                "cluster");
        assertThatIllegalArgumentException().isThrownBy(() -> plan(Mode.CLUSTER, 1, 0, 1)).withMessageContaining(
                "--brokers");
        assertThatIllegalArgumentException().isThrownBy(() -> plan(Mode.CLUSTER, 11, 1, 1))
                .withMessageContaining("--controllers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterPlan(Mode.CLUSTER, 1, 1, 1, 65_500, Map.of()))
                .withMessageContaining("--port-base");
    }

    @Test
    void aBrokerIsToldItsIdItsListenerItsFolderAndTheSettings() {
        ClusterPlan plan = plan(Mode.CLUSTER, 1, 2, 1);

        assertThat(ServiceArguments.of(plan, plan.instance(Role.BROKER, 1).orElseThrow(), DATA)).contains(
                "--kafka.broker.id=1", "--kafka.listeners=PLAINTEXT://127.0.0.1:9093",
                "--kafka.log.dirs=/data/broker-1",
                "--kafka.zookeeper.connect=127.0.0.1:9142", "--server.port=9153", "--server.address=127.0.0.1",
                "--kafka.num.partitions=3", "--kafka.offsets.topic.replication.factor=2");
    }

    @Test
    void whatIsSetWinsOverTheDefaultsOfOneMachine() {
        var plan = new ClusterPlan(Mode.CLUSTER, 1, 1, 1, 9092, Map.of("kafka.group.initial.rebalance.delay.ms", "77"));

        assertThat(ServiceArguments.of(plan, plan.instance(Role.COORDINATOR, 1000).orElseThrow(), DATA))
                .contains("--kafka.group.initial.rebalance.delay.ms=77")
                .doesNotContain("--kafka.group.initial.rebalance.delay.ms=0");
    }

    @Test
    void whatIsSetForOneInstanceReachesThatOneAlone() {
        var plan = new ClusterPlan(Mode.CLUSTER, 1, 2, 1, 9092, Map.of("kafka.broker.rack", "all",
                "broker-1:kafka.broker.rack", "b"));

        assertThat(ServiceArguments.of(plan, plan.instance(Role.BROKER, 1).orElseThrow(), DATA))
                .contains("--kafka.broker.rack=b").doesNotContain("--kafka.broker.rack=all");
        assertThat(ServiceArguments.of(plan, plan.instance(Role.BROKER, 0).orElseThrow(), DATA))
                .contains("--kafka.broker.rack=all").noneMatch(it -> it.contains("broker-1:"));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 2, 1", "3, 3, 2", "5, 3, 2"})
    void thereAreAsManyReplicasAsBrokersAndThreeAtMost(int brokers, int replicas, int inSync) {
        ClusterPlan plan = plan(Mode.CLUSTER, 1, brokers, 1);

        assertThat(ServiceArguments.of(plan, plan.instance(Role.CONTROLLER, 0).orElseThrow(), DATA)).contains(
                "--kafka.offsets.topic.replication.factor=" + replicas, "--kafka.default.replication.factor="
                        + replicas,
                "--kafka.transaction.state.log.replication.factor=" + replicas, "--kafka.min.insync.replicas="
                        + inSync,
                "--kafka.transaction.state.log.min.isr=" + inSync);
    }

    @Test
    void theProcessOfAllRolesIsToldEachOnesArgumentsUnderItsName() {
        List<String> arguments = ServiceArguments.ofAll(plan(Mode.STANDALONE, 1, 1, 1), DATA);

        assertThat(arguments).contains("--zookeeper.address=127.0.0.1:9142", "--zookeeper.data=/data/zookeeper-0",
                "--broker.kafka.broker.id=0", "--coordinator.kafka.broker.id=1000", "--admin.server.port=9143",
                "--controller.millrace.controller.stream.port=9132", "--controller.kafka.num.partitions=3");
    }
}
