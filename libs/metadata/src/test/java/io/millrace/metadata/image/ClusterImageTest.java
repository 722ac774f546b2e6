package io.millrace.metadata.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterImageTest {
    /// The hash of the last one is the least integer, whose absolute value is no integer.
    @ParameterizedTest
    @CsvSource({"g, 3", "negative-hash-7, 2", "'', 0", "polygenelubricants, 0"})
    void groupHasTheShardThatKafkaGivesIt(String group, int shard) {
        assertThat(ShardsImage.shardOf(group, 50)).isEqualTo(shard);
    }

    @Test
    void shardOfAGroupIsUnknownUntilTheTopicExistsAndSomeoneOwnsIt() {
        var topic = TopicImage.of(ShardKind.GROUP.topic(), new UUID(1, 1))
                .with(new PartitionImage(0, List.of(1), List.of(1), List.of(), List.of(), 1, 0, 0));
        var shard = new ShardImage(0, 1000, 2);

        assertThat(ClusterImage.EMPTY.shardOf(ShardKind.GROUP, "g")).isEmpty();
        var withTopic = ClusterImage.EMPTY.with(TopicsImage.EMPTY.with(topic));
        assertThat(withTopic.shardOf(ShardKind.GROUP, "g")).isEmpty();
        assertThat(withTopic.with(ShardKind.GROUP, ShardsImage.EMPTY.with(shard)).shardOf(ShardKind.GROUP, "g"))
                .contains(shard);
    }

    @Test
    void nodesAreFoundByRoleAndStateInTheOrderOfTheirIds() {
        var nodes = NodesImage.EMPTY.with(node(Role.BROKER, 2, NodeState.ACTIVE))
                .with(node(Role.BROKER, 0, NodeState.FENCED))
                .with(node(Role.BROKER, 1, NodeState.ACTIVE))
                .with(node(Role.CONTROLLER, 0, NodeState.ACTIVE))
                .with(node(Role.COORDINATOR, 1000, NodeState.ACTIVE));
        var image = ClusterImage.EMPTY.with(nodes);

        assertThat(image.liveBrokers()).extracting(NodeImage::id).containsExactly(1, 2);
        assertThat(nodes.of(Role.BROKER)).extracting(NodeImage::id).containsExactly(0, 1, 2);
        assertThat(image.liveCoordinators()).extracting(NodeImage::id).containsExactly(1000);
        assertThat(image.broker(0)).map(NodeImage::active).contains(false);
        assertThat(image.coordinator(0)).isEmpty();
    }

    @Test
    void olderImagesStayAsTheyWere() {
        var first = TopicsImage.EMPTY.with(TopicImage.of("t", new UUID(1, 1)));
        var second = first.with(TopicImage.of("t", new UUID(2, 2)));

        assertThat(first.topic("t").map(TopicImage::id)).contains(new UUID(1, 1));
        assertThat(second.topic(new UUID(1, 1))).isEmpty();
        assertThat(second.size()).isEqualTo(1);
        assertThat(second.without(new UUID(2, 2))).isEqualTo(TopicsImage.EMPTY);
    }

    private static NodeImage node(Role role, int id, NodeState state) {
        return new NodeImage(role, id, 1, List.of(), null, null, "", state);
    }
}
