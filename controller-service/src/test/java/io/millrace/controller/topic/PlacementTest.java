package io.millrace.controller.topic;

import static io.millrace.controller.fixture.Cluster.broker;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.image.NodeImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementTest {

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void leadersAndReplicasAreSpreadEvenlyOverBrokersAndRacks(long seed) {
        var random = new Random(seed);
        int racks = 1 + random.nextInt(3);
        int perRack = 1 + random.nextInt(3);
        var brokers = new ArrayList<NodeImage>();
        for (int id = 0; id < racks * perRack; id++) {
            brokers.add(broker(id, "rack-" + id % racks));
        }
        int replicationFactor = 1 + random.nextInt(brokers.size());

        var placed = Placement.over(brokers).place(brokers.size() * 4, replicationFactor, random);

        for (var replicas : placed) {
            assertThat(replicas).hasSize(replicationFactor).doesNotHaveDuplicates();
            var used = new HashSet<>(replicas.stream().map(id -> id % racks).toList());
            assertThat(used).hasSize(Math.min(racks, replicationFactor));
        }
        var leaders = placed.stream().collect(Collectors.groupingBy(List::getFirst, Collectors.counting()));
        assertThat(leaders).hasSize(brokers.size());
        assertThat(leaders.values()).containsOnly(4L);
        var held = placed.stream().flatMap(List::stream).collect(Collectors.groupingBy(id -> id, Collectors
                .counting()));
        assertThat(held).hasSize(brokers.size());
        assertThat(held.values()).containsOnly(4L * replicationFactor);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void racksOfDifferentSizesGetReplicasOfEachPartitionOnAsManyRacksAsThereAre(long seed) {
        var random = new Random(seed);
        var brokers = new ArrayList<NodeImage>();
        int racks = 2 + random.nextInt(3);
        for (int id = 0; id < racks + random.nextInt(6); id++) {
            brokers.add(broker(id * 3, "rack-" + (id < racks ? id : random.nextInt(racks))));
        }
        var rackOf = brokers.stream().collect(Collectors.toMap(NodeImage::id, broker -> String.valueOf(broker.rack())));
        int replicationFactor = 1 + random.nextInt(brokers.size());

        var placement = Placement.over(brokers);
        var placed = new ArrayList<>(placement.place(7, replicationFactor, random));
        placed.addAll(placement.grow(7, 20, replicationFactor, placed.getFirst().getFirst()));

        assertThat(placed).hasSize(27).allSatisfy(replicas -> {
            assertThat(replicas).hasSize(replicationFactor).doesNotHaveDuplicates();
            assertThat(replicas.stream().map(rackOf::get).distinct()).hasSize(Math.min(racks, replicationFactor));
        });
        var leaders = placed.subList(7, 27).stream().collect(Collectors.groupingBy(List::getFirst, Collectors
                .counting()));
        assertThat(leaders.values()).allMatch(count -> count <= 20 / brokers.size() + 1);
    }

    static LongStream seeds() {
        return Seeds.of(100);
    }

    @Test
    void followersAreShiftedFurtherAtEachRoundAsKafkaDoes() {
        var brokers = List.of(broker(0, null), broker(1, null), broker(2, null), broker(3, null), broker(4, null));

        // Always at 0, so that the table of Kafka's own documentation of its algorithm comes out.
        var placed = Placement.over(brokers).place(10, 3, () -> 0);

        assertThat(placed).containsExactly(List.of(0, 1, 2), List.of(1, 2, 3), List.of(2, 3, 4), List.of(3, 4, 0), List
                .of(
                        4, 0, 1), List.of(0, 2, 3), List.of(1, 3, 4), List.of(2, 4, 0), List.of(3, 0, 1), List.of(4, 1,
                                2));
    }

    @Test
    void oneBrokerWithoutARackMakesRacksCountForNothing() {
        var brokers = List.of(broker(0, "a"), broker(1, "a"), broker(2, null));

        var placed = Placement.over(brokers).place(3, 3, new Random(1));

        assertThat(placed).allSatisfy(replicas -> assertThat(replicas).containsExactlyInAnyOrder(0, 1, 2));
    }

    @Test
    void grownTopicGoesOnWhereItsFirstPartitionBegan() {
        var brokers = List.of(broker(0, null), broker(1, null), broker(2, null));

        var added = Placement.over(brokers).grow(2, 2, 1, 1);

        assertThat(added).containsExactly(List.of(0), List.of(1));
    }

    @Test
    void oneBrokerTakesEverything() {
        assertThat(Placement.over(List.of(broker(7, null))).place(3, 1, new Random(1))).containsOnly(List.of(7));
    }
}
