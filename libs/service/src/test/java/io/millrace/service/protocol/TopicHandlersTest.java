package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.service.config.ServerSettings;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// CreateTopics, DeleteTopics, CreatePartitions: what is refused here, what is forwarded, what is told.
class TopicHandlersTest {
    private static final UUID ID = new UUID(4, 4);

    private final FakeController controller = new FakeController();

    private static CreatableTopic topic(String name) {
        return new CreatableTopic().setName(name).setNumPartitions(2).setReplicationFactor((short) 1);
    }

    private CreateTopicsResponseData create(int version, CreatableTopic... topics) {
        var request = new CreateTopicsRequestData().setTimeoutMs(1_000);
        for (var topic : topics) {
            request.topics().add(topic);
        }
        return Calls.call(new CreateTopicsHandler(new Forwarding(controller), () -> ServerSettings.of(Map.of())),
                request,
                version);
    }

    private static Object created(Command<?> command) {
        return new CreateTopics.Result(((CreateTopics) command).topics().stream()
                .map(topic -> new TopicOutcome(topic.name(), ID, (short) 0, null, 2, 1)).toList());
    }

    @Test
    void aTopicIsForwardedAsAskedAndToldAsMade() {
        controller.answers(TopicHandlersTest::created);
        var wanted = topic("t");
        wanted.configs().add(new CreatableTopicConfig().setName("retention.ms").setValue("5"));

        var told = create(7, wanted).topics().find("t");

        assertThat(controller.asked).containsExactly(new CreateTopics(
                List.of(new NewTopic("t", 2, 1, Map.of(), Map.of("retention.ms", "5"))), false, 1_000));
        assertThat(told.errorCode()).isZero();
        assertThat(told.topicId()).isEqualTo(TopicIds.toKafka(ID));
        assertThat(told.numPartitions()).isEqualTo(2);
        assertThat(told.replicationFactor()).isEqualTo((short) 1);
        assertThat(told.configs()).filteredOn(config -> config.name().equals("retention.ms")).singleElement()
                .satisfies(config -> {
                    assertThat(config.value()).isEqualTo("5");
                    assertThat(config.configSource()).isEqualTo((byte) 1);
                });
        assertThat(create(2, topic("t")).topics().find("t").errorCode()).isZero();
    }

    static List<Arguments> refusedHere() {
        return List.of(
                refusal("", Errors.INVALID_TOPIC_EXCEPTION, topic -> {}),
                refusal("..", Errors.INVALID_TOPIC_EXCEPTION, topic -> {}),
                refusal("a/b", Errors.INVALID_TOPIC_EXCEPTION, topic -> {}),
                refusal("x".repeat(250), Errors.INVALID_TOPIC_EXCEPTION, topic -> {}),
                refusal("t", Errors.INVALID_PARTITIONS, topic -> topic.setNumPartitions(0)),
                refusal("t", Errors.INVALID_REPLICATION_FACTOR, topic -> topic.setReplicationFactor((short) 0)),
                refusal("t", Errors.INVALID_REQUEST, topic -> assign(topic, 0)),
                refusal("t", Errors.INVALID_REPLICA_ASSIGNMENT, topic -> {
                    assign(topic.setNumPartitions(-1).setReplicationFactor((short) -1), 0);
                    assign(topic, 0);
                }),
                refusal("t", Errors.INVALID_CONFIG, topic -> set(topic, "nonsense", "1")),
                refusal("t", Errors.INVALID_CONFIG, topic -> set(topic, "retention.ms", "x")),
                refusal("t", Errors.INVALID_CONFIG, topic -> set(topic, "retention.ms", null)),
                refusal("t", Errors.INVALID_REQUEST, topic -> {
                    set(topic, "retention.ms", "1");
                    set(topic, "retention.ms", "2");
                }));
    }

    private static Arguments refusal(String name, Errors error, Consumer<CreatableTopic> change) {
        return Arguments.of(name, error, change);
    }

    private static void assign(CreatableTopic topic, int partition) {
        topic.assignments().add(new CreatableReplicaAssignment().setPartitionIndex(partition).setBrokerIds(List.of(1)));
    }

    private static void set(CreatableTopic topic, String key, @Nullable String value) {
        topic.configs().add(new CreatableTopicConfig().setName(key).setValue(value));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("refusedHere")
    void oneBadTopicDoesNotHarmItsNeighbour(String name, Errors error, Consumer<CreatableTopic> change) {
        controller.answers(TopicHandlersTest::created);
        var bad = topic(name);
        change.accept(bad);

        var answer = create(7, bad, topic("good"));

        assertThat(Errors.forCode(answer.topics().find(name).errorCode())).isEqualTo(error);
        assertThat(answer.topics().find(name).errorMessage()).isNotEmpty();
        assertThat(answer.topics().find("good").errorCode()).isZero();
        assertThat(controller.asked).singleElement()
                .satisfies(command -> assertThat(((CreateTopics) command).topics()).hasSize(1));
    }

    @Test
    void aNameThatIsThereTwiceIsRefusedOnceAndNothingIsForwarded() {
        var answer = create(5, topic("t"), topic("t"));

        assertThat(answer.topics()).singleElement().satisfies(
                told -> assertThat(Errors.forCode(told.errorCode())).isEqualTo(Errors.INVALID_REQUEST));
        assertThat(controller.asked).isEmpty();
    }

    @Test
    void whatTheControllerRefusesKeepsItsCodeAndText() {
        controller.answers(_ -> new CreateTopics.Result(List.of(TopicOutcome.refused("t", null,
                Errors.TOPIC_ALREADY_EXISTS.code(), "Topic 't' already exists."))));

        var told = create(7, topic("t")).topics().find("t");

        assertThat(Errors.forCode(told.errorCode())).isEqualTo(Errors.TOPIC_ALREADY_EXISTS);
        assertThat(told.errorMessage()).isEqualTo("Topic 't' already exists.");
        assertThat(told.numPartitions()).isEqualTo(-1);
    }

    static List<Arguments> failures() {
        return List.of(Arguments.of(new TimeoutException("late"), Errors.REQUEST_TIMED_OUT),
                Arguments.of(new IOException("no route to 10.0.0.1"), Errors.REQUEST_TIMED_OUT),
                Arguments.of(new CommandRefused(Errors.POLICY_VIOLATION.code(), "no"), Errors.POLICY_VIOLATION),
                Arguments.of(new IllegalStateException("bug"), Errors.UNKNOWN_SERVER_ERROR));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aCommandThatFailsAsAWholeIsToldForEachTopic(Throwable failure, Errors error) {
        controller.fails(failure);

        var answer = create(5, topic("a"), topic("b"));

        assertThat(answer.topics()).hasSize(2).allSatisfy(told -> {
            assertThat(Errors.forCode(told.errorCode())).isEqualTo(error);
            assertThat(String.valueOf(told.errorMessage())).doesNotContain("10.0.0.1", "bug");
        });
    }

    @Test
    void topicsAreDeletedByNameAndById() {
        controller.answers(command -> new DeleteTopics.Result(((DeleteTopics) command).topics().stream()
                .map(topic -> topic.name() == null
                        ? TopicOutcome.refused(null, topic.id(), Errors.UNKNOWN_TOPIC_ID.code(), null)
                        : new TopicOutcome(topic.name(), ID, (short) 0, null, 1, 1))
                .toList()));
        var handler = new DeleteTopicsHandler(new Forwarding(controller), true);

        var byName = Calls.call(handler, new DeleteTopicsRequestData().setTopicNames(List.of("a", "b")), 3);
        assertThat(byName.responses()).extracting(told -> told.name() + told.errorCode()).containsExactly("a0", "b0");

        var mixed = Calls.call(handler, new DeleteTopicsRequestData().setTopics(List.of(
                new DeleteTopicState().setName("a"),
                new DeleteTopicState().setName(null).setTopicId(TopicIds.toKafka(ID)),
                new DeleteTopicState().setName("b").setTopicId(TopicIds.toKafka(ID)),
                new DeleteTopicState().setName(null),
                new DeleteTopicState().setName("c"), new DeleteTopicState().setName("c"))), 6);
        assertThat(mixed.responses()).extracting(told -> told.name() + " " + Errors.forCode(told.errorCode()))
                .containsExactlyInAnyOrder("a NONE", "null UNKNOWN_TOPIC_ID", "b INVALID_REQUEST",
                        "null INVALID_REQUEST", "c INVALID_REQUEST", "c INVALID_REQUEST");
        assertThat(((DeleteTopics) controller.asked.getLast()).topics())
                .containsExactly(TopicRef.named("a"), TopicRef.identified(ID));
    }

    @Test
    void whereDeletionIsDisabledNothingIsForwarded() {
        var handler = new DeleteTopicsHandler(new Forwarding(controller), false);
        var request = new DeleteTopicsRequestData().setTopicNames(List.of("a"));

        assertThat(Calls.call(handler, request, 1).responses()).extracting(told -> Errors.forCode(told.errorCode()))
                .containsExactly(Errors.INVALID_REQUEST);
        assertThat(Calls.call(handler, request, 3).responses()).extracting(told -> Errors.forCode(told.errorCode()))
                .containsExactly(Errors.TOPIC_DELETION_DISABLED);
        assertThat(controller.asked).isEmpty();
    }

    @Test
    void partitionsAreAddedToEachTopicOnce() {
        controller.answers(command -> new CreatePartitions.Result(((CreatePartitions) command).topics().stream()
                .map(topic -> TopicOutcome.refused(topic.topic(), null, Errors.INVALID_PARTITIONS.code(), "fewer"))
                .toList()));
        var request = new CreatePartitionsRequestData().setTimeoutMs(-1);
        for (var name : List.of("a", "b", "b")) {
            request.topics().add(new CreatePartitionsTopic().setName(name).setCount(4).setAssignments(null));
        }

        var answer = Calls.call(new CreatePartitionsHandler(new Forwarding(controller)), request, 3);

        assertThat(answer.results()).extracting(told -> told.name() + " " + Errors.forCode(told.errorCode()) + " "
                + told.errorMessage()).containsExactly("a INVALID_PARTITIONS fewer",
                        "b INVALID_REQUEST Duplicate topic in request.");
        assertThat(((CreatePartitions) controller.asked.getFirst()).timeoutMillis()).isZero();
    }
}
