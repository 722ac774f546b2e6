package io.millrace.controller.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.Test;

class LeaderBalanceTest {
    private static final LeaderBalance TEN_PERCENT = new LeaderBalance(10);

    @Test
    void imbalanceUpToThePercentageIsBorne() {
        assertThat(TEN_PERCENT.toGiveBack(elsewhere(1, 10, List.of(1, 2), List.of(2, 1)))).isEmpty();
        assertThat(TEN_PERCENT.toGiveBack(elsewhere(2, 10, List.of(1, 2), List.of(2, 1)))).containsExactly(
                new TopicPartition("t", 0), new TopicPartition("t", 1));
        assertThat(new LeaderBalance(0).toGiveBack(elsewhere(1, 10, List.of(1, 2), List.of(2, 1)))).hasSize(1);
    }

    @Test
    void preferredLeaderThatIsNotInSyncOrNotAliveGetsNothing() {
        assertThat(TEN_PERCENT.toGiveBack(elsewhere(5, 10, List.of(1, 2), List.of(2)))).isEmpty();
        assertThat(TEN_PERCENT.toGiveBack(elsewhere(5, 10, List.of(9, 2), List.of(2, 9)))).isEmpty();
    }

    @Test
    void eachBrokerIsWeighedForItself() {
        var image = elsewhere(5, 10, List.of(1, 2), List.of(2, 1));
        var balanced = new ArrayList<PartitionImage>();
        for (int partition = 0; partition < 100; partition++) {
            balanced.add(new PartitionImage(partition, List.of(2, 1), List.of(2, 1), List.of(), List.of(),
                    partition < 10 ? 1 : 2, 3, 7));
        }

        var moved = TEN_PERCENT.toGiveBack(image.with(image.topics().with(new TopicImage("u", new UUID(2, 2),
                balanced))));

        assertThat(moved).hasSize(5).allMatch(partition -> partition.topic().equals("t"));
    }

    @Test
    void partitionThatIsBeingMovedStaysWhereItIs() {
        var image = Cluster.ofBrokers(1, 2, 3).image();
        var moving = new PartitionImage(0, List.of(1, 2, 3), List.of(2, 1), List.of(3), List.of(), 2, 3, 7);

        assertThat(TEN_PERCENT.toGiveBack(image.with(image.topics().with(new TopicImage("t", new UUID(1, 1), List.of(
                moving)))))).isEmpty();
    }

    /// Of `all` partitions with these replicas, the first `count` are led by the second.
    private static ClusterImage elsewhere(int count, int all, List<Integer> replicas, List<Integer> isr) {
        var partitions = new ArrayList<PartitionImage>();
        for (int partition = 0; partition < all; partition++) {
            int leader = replicas.get(partition < count ? 1 : 0);
            partitions.add(new PartitionImage(partition, replicas, isr, List.of(), List.of(), leader, 3, 7));
        }
        var image = Cluster.ofBrokers(1, 2).image();
        return image.with(image.topics().with(new TopicImage("t", new UUID(1, 1), partitions)));
    }
}
