package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.Test;

class CaughtUpTest {
    private static final UUID TOPIC = new UUID(1, 1);

    @Test
    void brokerInSyncEverywhereIsReady() {
        assertThat(CaughtUp.whyNot(image(partition(List.of(0, 1, 2), List.of(1, 2), List.of(), 1)), 2)).isEmpty();
        assertThat(CaughtUp.whyNot(image(), 2)).isEmpty();
    }

    @Test
    void brokerOutOfSyncIsNotReadyAndSaysWhere() {
        assertThat(CaughtUp.whyNot(image(partition(List.of(0, 1, 2), List.of(0, 1), List.of(), 0)), 2)).contains(
                "out of sync in 1 partitions, such as orders-0");
    }

    @Test
    void partitionsOfOthersDoNotCount() {
        assertThat(CaughtUp.whyNot(image(partition(List.of(0, 1), List.of(0), List.of(), 0)), 2)).isEmpty();
    }

    @Test
    void replicaThatIsOnlyBeingBroughtDoesNotCount() {
        assertThat(CaughtUp.whyNot(image(partition(List.of(0, 1, 2), List.of(0, 1), List.of(2), 0)), 2)).isEmpty();
    }

    @Test
    void nobodyWaitsForALeaderThatIsNotThere() {
        assertThat(CaughtUp.whyNot(image(partition(List.of(0, 2), List.of(0), List.of(), PartitionImage.NO_LEADER)),
                2)).isEmpty();
        assertThat(CaughtUp.whyNot(image(partition(List.of(7, 2), List.of(7), List.of(), 7)), 2)).isEmpty();
    }

    @Test
    void replicaWhoseDiskFailedHereDoesNotCount() {
        var image = image(partition(List.of(0, 2), List.of(0), List.of(), 0));
        var failed = image.broker(2).orElseThrow().withFailed(Map.of(TOPIC, Set.of(0)));

        assertThat(CaughtUp.whyNot(image.with(image.nodes().with(failed)), 2)).isEmpty();
    }

    @Test
    void newImageIsLookedAtAnew() {
        var behind = image(partition(List.of(0, 2), List.of(0), List.of(), 0)).at(new MetadataVersion(1, 1));
        var images = new AtomicReference<>(behind);
        var caughtUp = new CaughtUp(2, images::get);

        assertThat(caughtUp.whyNot()).isPresent();
        images.set(image(partition(List.of(0, 2), List.of(0, 2), List.of(), 0)).at(new MetadataVersion(1, 2)));
        assertThat(caughtUp.whyNot()).isEmpty();
    }

    private static ClusterImage image(PartitionImage... partitions) {
        var image = ClusterImage.EMPTY;
        for (int id = 0; id < 3; id++) {
            image = image.with(image.nodes().with(new NodeImage(Role.BROKER, id, 1, List.of(), null, null, "",
                    NodeState.ACTIVE)));
        }
        return image.with(image.topics().with(TopicImage.of("orders", TOPIC).with(List.of(partitions))));
    }

    private static PartitionImage partition(List<Integer> replicas, List<Integer> isr, List<Integer> adding,
            int leader) {
        return new PartitionImage(0, replicas, isr, adding, List.of(), leader, 0, 0);
    }
}
