package io.millrace.metadata.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplayTest {
    private static final UUID OLD = new UUID(1, 1);
    private static final UUID NEW = new UUID(2, 2);

    static LongStream seeds() {
        return Seeds.of(20);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void deltasAndASnapshotLeadToTheSameImage(long seed) {
        var cluster = new RandomCluster(seed, 3);
        var follower = cluster.image();
        for (int i = 0; i < 200; i++) {
            var delta = cluster.change();
            var before = follower;
            follower = Replay.apply(follower, delta);

            assertThat(follower).isEqualTo(cluster.image());
            assertThat(touched(Replay.changes(before, delta.records()))).containsAll(
                    touched(Changes.between(before, follower)));
        }
        assertThat(Replay.apply(Snapshot.of(cluster.image()))).isEqualTo(cluster.image());
    }

    private static List<Object> touched(Changes changes) {
        return Stream.of(changes.topics(), changes.removedTopics(), changes.nodes(), changes.configs(),
                changes.shards()).<Object>flatMap(Set::stream).toList();
    }

    @Test
    void deltaIsAppliedToItsOwnVersionOnly() {
        var gap = new Delta(new MetadataVersion(1, 1), new MetadataVersion(1, 2), List.of());

        assertThatThrownBy(() -> Replay.apply(ClusterImage.EMPTY, gap)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.1");
        assertThatThrownBy(() -> new Delta(gap.to(), gap.from(), List.of())).isInstanceOf(
                IllegalArgumentException.class);
    }

    @Test
    void topicCreatedAgainUnderItsNameIsAnotherTopic() {
        var before = Replay.apply(ClusterImage.EMPTY, List.of(new TopicPut("t", OLD)));
        List<MetadataRecord> records = List.of(new TopicRemoved(OLD), new TopicPut("t", NEW));

        var after = Replay.apply(before, records);

        assertThat(after.topic("t").map(TopicImage::id)).contains(NEW);
        assertThat(after.topic(OLD)).isEmpty();
        assertThat(Replay.changes(before, records).removedTopics()).containsExactly(OLD);
        assertThat(Replay.changes(before, records).topics()).containsExactly(NEW);
    }

    @Test
    void partitionsOfNoTopicAndPartitionsAfterAGapDoNotFit() {
        var partition = new PartitionImage(1, List.of(1), List.of(1), List.of(), List.of(), 1, 0, 0);
        var image = Replay.apply(ClusterImage.EMPTY, List.of(new TopicPut("t", OLD)));

        assertThatThrownBy(() -> Replay.apply(image, List.of(new PartitionPut(NEW, partition)))).isInstanceOf(
                IllegalArgumentException.class);
        assertThatThrownBy(() -> Replay.apply(image, List.of(new PartitionPut(OLD, partition)))).isInstanceOf(
                IllegalArgumentException.class);
    }

    @Test
    void emptyConfigurationIsNone() {
        var resource = ConfigResource.topic("t");
        var set = Replay.apply(ClusterImage.EMPTY, List.of(new ConfigPut(resource, Map.of("a", "b"))));

        assertThat(set.topicConfig("t")).containsExactly(Map.entry("a", "b"));
        assertThat(Replay.apply(set, List.of(new ConfigPut(resource, Map.of())))).isEqualTo(ClusterImage.EMPTY);
    }
}
