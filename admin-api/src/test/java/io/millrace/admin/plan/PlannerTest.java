package io.millrace.admin.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import io.millrace.admin.operation.Move;
import io.millrace.admin.plan.PlanRequest.Goal;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plans on clusters whose brokers stand in three racks.
class PlannerTest {
    private ClusterImage image = ClusterImage.EMPTY;
    private final Map<TopicPartition, Long> sizes = new HashMap<>();

    private void brokers(int count) {
        for (int id = 0; id < count; id++) {
            image = image.with(image.nodes().with(new NodeImage(Role.BROKER, id, 1, List.of(), "rack-" + id % 3, null,
                    "", NodeState.ACTIVE)));
        }
    }

    private void topic(List<List<Integer>> partitions) {
        var topic = TopicImage.of("t", new UUID(1, 1));
        int next = 0;
        for (var replicas : partitions) {
            topic = topic.with(new PartitionImage(next, replicas, replicas, List.of(), List.of(), replicas.getFirst(),
                    0,
                    0));
            sizes.put(new TopicPartition("t", next++), 100L);
        }
        image = image.with(image.topics().with(topic));
    }

    private static PlanRequest request(Goal goal, @Nullable List<Integer> brokers, @Nullable Integer factor) {
        return new PlanRequest(goal, brokers, null, null, factor, null, null, null, null);
    }

    private List<Move> plan(PlanRequest request) {
        return new Planner(image, sizes).plan(request);
    }

    private Map<Integer, Integer> held(List<Move> moves) {
        var held = new HashMap<Integer, Integer>();
        var replicas = new HashMap<Integer, List<Integer>>();
        image.topic("t").orElseThrow().partitions().forEach(partition -> replicas.put(partition.partition(), partition
                .replicas()));
        moves.forEach(move -> replicas.put(move.partition(), move.to()));
        replicas.values().forEach(all -> all.forEach(id -> held.merge(id, 1, Integer::sum)));
        return held;
    }

    @Test
    void newBrokersGetTheirShareAndNothingElseMoves() {
        brokers(3);
        topic(List.of(List.of(0, 1), List.of(1, 2), List.of(2, 0), List.of(0, 1), List.of(1, 2), List.of(2, 0)));
        brokers(4);

        var moves = plan(request(Goal.ADD_BROKERS, List.of(3), null));

        assertThat(held(moves).get(3)).isBetween(2, 3);
        assertThat(moves).allSatisfy(move -> assertThat(move.adding()).isSubsetOf(Set.of(3)));
    }

    @Test
    void removedBrokersKeepNothingAndRacksStayApart() {
        brokers(6);
        topic(List.of(List.of(0, 1, 2), List.of(3, 4, 5), List.of(1, 2, 3)));

        var moves = plan(request(Goal.REMOVE_BROKERS, List.of(0), null));

        assertThat(moves).singleElement().satisfies(move -> {
            assertThat(move.from()).containsExactly(0, 1, 2);
            assertThat(move.to()).containsExactly(3, 1, 2);
        });
    }

    @Test
    void whereNobodyIsLeftThePlanIsRefused() {
        brokers(2);
        topic(List.of(List.of(0, 1)));
        assertThatThrownBy(() -> plan(request(Goal.REMOVE_BROKERS, List.of(0), null))).isInstanceOf(Problem.class)
                .hasMessageContaining("replication factor cannot be kept");
        assertThatThrownBy(() -> plan(request(Goal.CHANGE_RF, null, 3))).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> plan(request(Goal.ADD_BROKERS, List.of(7), null))).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> plan(request(Goal.REMOVE_BROKERS, List.of(), null))).isInstanceOf(Problem.class);
    }

    @Test
    void replicationFactorGoesUpIntoOtherRacksAndDownWithoutTheLeader() {
        brokers(6);
        topic(List.of(List.of(0, 3), List.of(1, 2, 4)));

        assertThat(plan(request(Goal.CHANGE_RF, null, 3))).singleElement().satisfies(move -> assertThat(new HashSet<>(
                move.adding()).iterator().next() % 3).isNotZero());
        assertThat(plan(request(Goal.CHANGE_RF, null, 1))).extracting(Move::to).containsExactly(List.of(0), List.of(1));
        assertThat(plan(request(Goal.CHANGE_RF, null, 2))).singleElement().satisfies(move -> assertThat(move.to())
                .containsExactly(1, 2));
    }

    @Test
    void replicasInOneRackAreSpread() {
        brokers(6);
        topic(List.of(List.of(0, 3), List.of(1, 2)));
        assertThat(plan(request(Goal.SPREAD_RACKS, null, null))).singleElement().satisfies(move -> {
            assertThat(move.to().getFirst()).isEqualTo(0);
            assertThat(move.to().getLast() % 3).isNotZero();
        });
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void evenedOutLoadIsEvenAndEveryPartitionKeepsItsReplicasApart(long seed) {
        var random = new Random(seed);
        brokers(6);
        var partitions = new ArrayList<List<Integer>>();
        for (int i = 0; i < 30; i++) {
            int first = random.nextInt(3);
            partitions.add(List.of(first, (first + 1) % 3));
        }
        topic(partitions);

        var moves = plan(request(Goal.BALANCE_TOPIC, null, null));

        var held = held(moves).values();
        assertThat(held).allSatisfy(count -> assertThat(count).isBetween(9, 11));
        assertThat(moves).allSatisfy(move -> {
            assertThat(new HashSet<>(move.to())).hasSize(2);
            assertThat(move.to().get(0) % 3).isNotEqualTo(move.to().get(1) % 3);
        });
    }
}
