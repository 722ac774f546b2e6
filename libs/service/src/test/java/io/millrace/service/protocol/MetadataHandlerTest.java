package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataHandlerTest {
    private final FakeController controller = new FakeController();
    private ClusterImage image = Clusters.usual();
    private boolean autoCreate = true;

    private MetadataResponseData ask(int version, @Nullable List<MetadataRequestTopic> topics) {
        return Calls.call(handler(), new MetadataRequestData().setTopics(topics), version);
    }

    private MetadataHandler handler() {
        var creation = new AutoCreation(autoCreate, new Forwarding(controller),
                (condition, _) -> condition.test(image)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new TimeoutException()));
        return new MetadataHandler(() -> image, creation);
    }

    private static MetadataRequestTopic named(@Nullable String name) {
        return new MetadataRequestTopic().setName(name);
    }

    private static MetadataRequestTopic identified(UUID id) {
        return named(null).setTopicId(TopicIds.toKafka(id));
    }

    private static Errors error(MetadataResponseTopic topic) {
        return Errors.forCode(topic.errorCode());
    }

    @Test
    void noListMeansAllTopicsAndAnEmptyOneNoneButInVersionZero() {
        assertThat(ask(0, List.of()).topics()).hasSize(1);
        for (int version = 1; version <= ApiKeys.METADATA.latestVersion(); version++) {
            assertThat(ask(version, null).topics()).hasSize(1);
            assertThat(ask(version, List.of()).topics()).isEmpty();
            assertThat(ask(version, List.of()).brokers()).hasSize(3);
        }
    }

    @Test
    void coordinatorsAreListedBesideBrokersAndALiveBrokerIsTheController() {
        var answer = ask(12, List.of());

        assertThat(answer.brokers()).extracting(node -> node.nodeId() + "@" + node.host() + ":" + node.port())
                .containsExactly("1@host-1:9001", "2@host-2:9002", "1000@host-1000:10000");
        assertThat(answer.controllerId()).isEqualTo(1);
        assertThat(answer.clusterId()).isEqualTo("cluster-id");
    }

    @Test
    void fencedNodesAreNotListed() {
        image = image.with(image.nodes().with(Clusters.node(Role.BROKER, 1, NodeState.FENCED)));

        var answer = ask(12, null);

        assertThat(answer.brokers()).extracting(node -> node.nodeId()).containsExactly(2, 1000);
        assertThat(answer.controllerId()).isEqualTo(2);
        var partition = answer.topics().find("orders").partitions().getFirst();
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.LEADER_NOT_AVAILABLE);
        assertThat(partition.leaderId()).isEqualTo(-1);
        assertThat(partition.offlineReplicas()).containsExactly(1);
    }

    @Test
    void aReplicaWhoseLogDirectoryFailedIsOfflineThoughItsBrokerLives() {
        image = image.with(image.nodes().with(Clusters.node(Role.BROKER, 1, NodeState.ACTIVE).withFailed(Map.of(
                Clusters.ORDERS, Set.of(0)))));

        var partitions = ask(12, null).topics().find("orders").partitions();

        assertThat(partitions.getFirst().offlineReplicas()).containsExactly(1);
        assertThat(partitions.getLast().offlineReplicas()).isEmpty();
    }

    @Test
    void aPartitionWithoutLeaderKeepsItsReplicas() {
        image = Clusters.with(image, Clusters.topic("lost", new UUID(2, 2), -1));

        var partition = ask(9, List.of(named("lost"))).topics().find("lost").partitions().getFirst();

        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.LEADER_NOT_AVAILABLE);
        assertThat(partition.replicaNodes()).containsExactly(9);
        assertThat(partition.isrNodes()).containsExactly(9);
        assertThat(ask(0, List.of(named("lost"))).topics().find("lost").partitions().getFirst().replicaNodes())
                .isEmpty();
    }

    @Test
    void aTopicHasItsIdAndItsPartitionsTheirLeaders() {
        var topic = ask(12, List.of(named("orders"))).topics().find("orders");

        assertThat(topic.topicId()).isEqualTo(TopicIds.toKafka(Clusters.ORDERS));
        assertThat(topic.partitions()).extracting(partition -> partition.leaderId() + "/" + partition.leaderEpoch())
                .containsExactly("1/3", "2/3");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 11})
    void namesMustBeThereAndIdsNotBeforeVersionTwelve(int version) {
        for (var topic : List.of(named(null), named("orders").setTopicId(TopicIds.toKafka(Clusters.ORDERS)))) {
            var request = new MetadataRequestData().setTopics(List.of(topic));

            assertThatThrownBy(() -> handler().handle(request, Calls.context(ApiKeys.METADATA, version)))
                    .isInstanceOfSatisfying(Refused.class,
                            refused -> assertThat(refused.error()).isEqualTo(Errors.INVALID_REQUEST));
        }
    }

    @Test
    void anUnknownIdIsAnErrorWithoutAName() {
        var topic = ask(12, List.of(identified(new UUID(7, 7)))).topics().iterator().next();

        assertThat(error(topic)).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
        assertThat(topic.name()).isNull();
        assertThat(topic.topicId()).isEqualTo(new Uuid(7, 7));
    }

    @Test
    void aKnownIdIsAnsweredWithItsName() {
        assertThat(ask(12, List.of(identified(Clusters.ORDERS))).topics()).singleElement()
                .satisfies(topic -> assertThat(topic.name()).isEqualTo("orders"));
    }

    @Test
    void aTopicAskedForTwiceIsToldOnce() {
        assertThat(ask(9, List.of(named("orders"), named("orders"))).topics()).hasSize(1);
    }

    @Test
    void aMissingTopicIsCreatedAndThenToldOf() {
        controller.answers(command -> {
            var wanted = ((CreateTopics) command).topics().getFirst();
            image = Clusters.with(image, Clusters.topic(wanted.name(), new UUID(3, 3), 2));
            return new CreateTopics.Result(
                    List.of(new TopicOutcome(wanted.name(), new UUID(3, 3), (short) 0, null, 1, 1)));
        });

        var topic = ask(9, List.of(named("fresh"))).topics().find("fresh");

        assertThat(error(topic)).isEqualTo(Errors.NONE);
        assertThat(topic.partitions()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
            "REQUEST_TIMED_OUT, LEADER_NOT_AVAILABLE",
            "TOPIC_ALREADY_EXISTS, LEADER_NOT_AVAILABLE",
            "INVALID_REPLICATION_FACTOR, INVALID_REPLICATION_FACTOR",
            "UNKNOWN_SERVER_ERROR, LEADER_NOT_AVAILABLE",
    })
    void whereCreatingFailsTheClientIsToldWhetherToAskAgain(Errors outcome, Errors told) {
        controller.answers(_ -> new CreateTopics.Result(
                List.of(TopicOutcome.refused("fresh", null, outcome.code(), null))));

        assertThat(error(ask(9, List.of(named("fresh"))).topics().find("fresh"))).isEqualTo(told);
    }

    @Test
    void whereNoControllerAnswersTheClientAsksAgain() {
        controller.fails(new IOException("refused"));

        assertThat(error(ask(9, List.of(named("fresh"))).topics().find("fresh")))
                .isEqualTo(Errors.LEADER_NOT_AVAILABLE);
    }

    @Test
    void aTopicThatManyAskForIsCreatedOnce() {
        controller.answersLater(new CompletableFuture<>());
        var handler = handler();
        var request = new MetadataRequestData().setTopics(List.of(named("fresh")));

        var first = Calls.start(handler, request, 9);
        var second = Calls.start(handler, request, 9);

        assertThat(controller.asked).hasSize(1);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void nothingIsCreatedWhereClientSettingOrNameForbidIt() {
        assertThat(error(ask(9, List.of(named("a/b"))).topics().find("a/b")))
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
        assertThat(error(ask(9, List.of(named("__consumer_offsets"))).topics().find("__consumer_offsets")))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        var request = new MetadataRequestData().setTopics(List.of(named("fresh"))).setAllowAutoTopicCreation(false);
        assertThat(error(Calls.call(handler(), request, 9).topics().find("fresh")))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        autoCreate = false;
        assertThat(error(ask(9, List.of(named("fresh"))).topics().find("fresh")))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(controller.asked).isEmpty();
    }

    @Test
    void whatAClientMayDoIsToldWhereItAsks() {
        var request = new MetadataRequestData().setTopics(null).setIncludeClusterAuthorizedOperations(true)
                .setIncludeTopicAuthorizedOperations(true);

        var answer = Calls.call(handler(), request, 8);

        assertThat(answer.clusterAuthorizedOperations()).isPositive();
        assertThat(answer.topics().find("orders").topicAuthorizedOperations()).isPositive();
        assertThat(ask(8, null).clusterAuthorizedOperations()).isEqualTo(Integer.MIN_VALUE);
    }
}
