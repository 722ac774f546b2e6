package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is answered from the image alone, but for Metadata.
class ClusterHandlersTest {
    private final FakeController controller = new FakeController();
    private final AutoCreation creation = new AutoCreation(false, new Forwarding(controller),
            (_, _) -> CompletableFuture.allOf());
    private ClusterImage image = Clusters.usual();

    @Test
    void describeClusterListsBrokersAndCoordinators() {
        for (int version = 0; version <= ApiKeys.DESCRIBE_CLUSTER.latestVersion(); version++) {
            var answer = Calls.call(new DescribeClusterHandler(() -> image), new DescribeClusterRequestData(), version);

            assertThat(answer.brokers()).extracting(node -> node.brokerId()).containsExactly(1, 2, 1000);
            assertThat(answer.controllerId()).isEqualTo(1);
            assertThat(answer.clusterId()).isEqualTo("cluster-id");
        }
    }

    @Test
    void describeClusterListsFencedNodesWhereAsked() {
        image = image.with(image.nodes().with(Clusters.node(Role.BROKER, 1, NodeState.FENCED)));
        var handler = new DescribeClusterHandler(() -> image);

        assertThat(Calls.call(handler, new DescribeClusterRequestData(), 2).brokers()).hasSize(2);
        assertThat(Calls.call(handler, new DescribeClusterRequestData().setIncludeFencedBrokers(true), 2).brokers())
                .hasSize(3).anySatisfy(node -> assertThat(node.isFenced()).isTrue());
    }

    @ParameterizedTest
    @CsvSource({"2, MISMATCHED_ENDPOINT_TYPE", "0, UNSUPPORTED_ENDPOINT_TYPE", "9, UNSUPPORTED_ENDPOINT_TYPE"})
    void describeClusterIsAboutBrokersOnly(byte type, Errors error) {
        var answer = Calls.call(new DescribeClusterHandler(() -> image),
                new DescribeClusterRequestData().setEndpointType(type), 1);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(error);
    }

    @Test
    void theCoordinatorOfAGroupOwnsItsShard() {
        image = Clusters.with(image, Clusters.topic(ShardKind.GROUP.topic(), new UUID(5, 5), 1));
        image = Clusters.with(image, new ShardImage(0, 1000, 4));
        var handler = new FindCoordinatorHandler(() -> image, creation);

        for (int version = 0; version < 4; version++) {
            var answer = Calls.call(handler, new FindCoordinatorRequestData().setKey("g"), version);
            assertThat(answer.nodeId() + "@" + answer.host() + ":" + answer.port()).isEqualTo("1000@host-1000:10000");
            assertThat(answer.errorCode()).isZero();
        }
        for (int version = 4; version <= 6; version++) {
            var answer = Calls.call(handler,
                    new FindCoordinatorRequestData().setCoordinatorKeys(List.of("g", "h")), version);
            assertThat(answer.coordinators()).hasSize(2).allSatisfy(found -> {
                assertThat(found.nodeId()).isEqualTo(1000);
                assertThat(found.errorCode()).isZero();
            });
        }
    }

    @Test
    void whereTopicShardOrOwnerIsMissingTheClientAsksAgain() {
        var handler = new FindCoordinatorHandler(() -> image, creation);
        var request = new FindCoordinatorRequestData().setKey("g");
        assertThat(Errors.forCode(Calls.call(handler, request, 2).errorCode()))
                .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        image = Clusters.with(image, Clusters.topic(ShardKind.GROUP.topic(), new UUID(5, 5), 1));
        assertThat(Errors.forCode(Calls.call(handler, request, 2).errorCode()))
                .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        image = Clusters.with(image, new ShardImage(0, -1, 4));
        assertThat(Errors.forCode(Calls.call(handler, request, 2).errorCode()))
                .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        image = Clusters.with(image, new ShardImage(0, 1001, 5));
        var answer = Calls.call(handler, request, 2);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(answer.nodeId()).isEqualTo(-1);
    }

    @Test
    void theTopicOfTransactionsIsMadeWhenSomebodyLooksForACoordinatorForTheFirstTime() {
        controller.answers(command -> {
            image = Clusters.with(image, Clusters.topic(ShardKind.TRANSACTION.topic(), new UUID(6, 6), 1));
            image = image.with(ShardKind.TRANSACTION, image.transactionShards().with(new ShardImage(0, 1000, 1)));
            return new CreateTopics.Result(List.of(new TopicOutcome(ShardKind.TRANSACTION.topic(), new UUID(6, 6),
                    (short) 0, null, 1, 1)));
        });
        var handler = new FindCoordinatorHandler(() -> image, creation);
        var request = new FindCoordinatorRequestData().setKeyType((byte) 1).setCoordinatorKeys(List.of("t"));

        assertThat(Calls.call(handler, request, 4).coordinators()).singleElement()
                .satisfies(found -> assertThat(found.nodeId()).isEqualTo(1000));
        Calls.call(handler, request, 4);

        assertThat(controller.asked).as("asked once").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"2, INVALID_REQUEST", "7, INVALID_REQUEST"})
    void otherCoordinatorsAreRefusedForGood(byte type, Errors error) {
        var handler = new FindCoordinatorHandler(() -> image, creation);

        assertThat(Errors.forCode(Calls.call(handler,
                new FindCoordinatorRequestData().setKeyType(type).setKey("t"), 3).errorCode())).isEqualTo(error);
        assertThat(Calls.call(handler,
                new FindCoordinatorRequestData().setKeyType(type).setCoordinatorKeys(List.of("t")), 6).coordinators())
                .singleElement().satisfies(found -> {
                    assertThat(Errors.forCode(found.errorCode())).isEqualTo(error);
                    assertThat(found.errorMessage()).isNotEmpty();
                });
    }

    private DescribeTopicPartitionsResponseData describe(int limit, Cursor cursor, String... topics) {
        return Calls.call(new DescribeTopicPartitionsHandler(() -> image, 3), new DescribeTopicPartitionsRequestData()
                .setTopics(List.of(topics).stream().map(name -> new TopicRequest().setName(name)).toList())
                .setResponsePartitionLimit(limit).setCursor(cursor.topicName().isEmpty() ? null : cursor), 0);
    }

    private static String shape(DescribeTopicPartitionsResponseData answer) {
        var shape = new StringBuilder();
        answer.topics().forEach(topic -> shape.append(topic.name()).append(topic.partitions().stream()
                .map(partition -> partition.partitionIndex()).toList()).append(' '));
        var next = answer.nextCursor();
        return shape + (next == null ? "end" : next.topicName() + "/" + next.partitionIndex());
    }

    @Test
    void partitionsAreToldInPagesInTheOrderOfNames() {
        image = Clusters.with(image, Clusters.topic("a", new UUID(6, 6), 1, 1));
        var start = new Cursor();

        assertThat(shape(describe(2000, start))).isEqualTo("a[0, 1] orders[0] orders/1");
        assertThat(shape(describe(2000, new Cursor().setTopicName("orders").setPartitionIndex(1))))
                .isEqualTo("orders[1] end");
        assertThat(shape(describe(1, start))).isEqualTo("a[0] a/1");
        assertThat(shape(describe(2, start))).isEqualTo("a[0, 1] orders/0");
        assertThat(shape(describe(2000, start, "orders", "orders"))).isEqualTo("orders[0, 1] end");
        assertThat(shape(describe(2000, new Cursor().setTopicName("b").setPartitionIndex(7))))
                .isEqualTo("orders[0, 1] end");
    }

    @Test
    void topicsThatAreNotThereAreToldSo() {
        var answer = describe(10, new Cursor(), "a/b", "missing");

        assertThat(answer.topics().find("a/b").errorCode()).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(answer.topics().find("missing").errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }
}
