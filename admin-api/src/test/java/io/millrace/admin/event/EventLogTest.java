package io.millrace.admin.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final UUID TOPIC = new UUID(1, 1);

    private final EventLog log = new EventLog(Clock.fixed(Instant.ofEpochSecond(7), ZoneOffset.UTC));
    private ClusterImage image = ClusterImage.EMPTY.withController(1).at(new MetadataVersion(1, 1));

    private static PartitionImage partition(int leader, List<Integer> isr, List<Integer> adding) {
        return new PartitionImage(0, List.of(0, 1), isr, adding, List.of(), leader, 0, 0);
    }

    private List<String> happens(ClusterImage next) throws InterruptedException {
        long begin = log.end();
        var after = next.at(next.version().next());
        log.changed(image, after, Changes.between(image, after));
        image = after;
        return log.from(begin, Duration.ZERO).stream().map(event -> event.type() + " " + event.before() + ">" + event
                .after()).toList();
    }

    private ClusterImage with(PartitionImage... partitions) {
        return image.with(image.topics().with(new TopicImage("t", TOPIC, List.of(partitions))));
    }

    private ClusterImage withBroker(NodeState state) {
        return image.with(image.nodes().with(new NodeImage(Role.BROKER, 0, 1, List.of(), null, null, "", state)));
    }

    @Test
    void lifeOfATopicIsTold() throws InterruptedException {
        assertThat(happens(with(partition(0, List.of(0, 1), List.of())))).containsExactly(
                "topic.created null>{partitions_count=1}");
        assertThat(happens(with(partition(1, List.of(1), List.of())))).containsExactly("partition.leader 0>1",
                "partition.isr [0, 1]>[1]");
        assertThat(happens(with(partition(-1, List.of(1), List.of())))).containsExactly("partition.offline 1>-1");
        assertThat(happens(with(partition(-1, List.of(1), List.of(1))))).containsExactly(
                "reassignment.started [0, 1]>[0, 1]");
        assertThat(happens(with(partition(-1, List.of(1), List.of())))).containsExactly(
                "reassignment.ended [0, 1]>[0, 1]");
        assertThat(happens(image.with(image.configs().with(ConfigResource.topic("t"), Map.of("a", "1")))))
                .containsExactly("config.changed {}>{a=1}");
        assertThat(happens(image.with(image.topics().without(TOPIC)))).containsExactly("topic.deleted null>null");
    }

    @Test
    void nodesComeAndGo() throws InterruptedException {
        assertThat(happens(withBroker(NodeState.FENCED))).containsExactly("broker.down null>FENCED");
        assertThat(happens(withBroker(NodeState.ACTIVE))).containsExactly("broker.up FENCED>ACTIVE");
        assertThat(happens(withBroker(NodeState.SHUTTING_DOWN))).containsExactly(
                "broker.draining ACTIVE>SHUTTING_DOWN");
        assertThat(happens(image.withController(2))).containsExactly("controller.elected 1>2");
    }

    @Test
    void firstImageIsNoEvent() throws InterruptedException {
        long begin = log.end();
        log.changed(ClusterImage.EMPTY, image, Changes.between(ClusterImage.EMPTY, image));
        assertThat(log.from(begin, Duration.ZERO)).isEmpty();
    }

    @Test
    void readerGoesOnAfterWhatItKnowsAndOfWhatIsTooOldItIsTold() throws InterruptedException {
        long begin = log.end();
        for (int i = 0; i < 10_010; i++) {
            happens(image.withController(3 + i));
        }
        assertThat(log.has(begin)).isFalse();
        assertThat(log.has(log.end())).isTrue();
        assertThat(log.has(log.end() + 1)).isFalse();
        assertThat(log.from(begin, Duration.ZERO).getFirst().sequence()).isEqualTo(begin + 10);
        assertThat(log.from(log.end() - 1, Duration.ZERO)).hasSize(1);
    }
}
