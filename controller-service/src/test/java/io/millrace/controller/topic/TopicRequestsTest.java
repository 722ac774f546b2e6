package io.millrace.controller.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicRequestsTest {
    private static final TopicRules RULES = new TopicRules(2, 1, true);
    private static final Cluster CLUSTER = Cluster.ofBrokers(1, 2, 3).with(Cluster.coordinator(1000)).withTopic("a.b",
            List
                    .of(List.of(1)));

    private final TopicCreation creation = new TopicCreation(RULES, new FakeConfigRules(), new Random(1));
    private final TopicGrowth growth = new TopicGrowth();

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "é", "a b", "a\u0000"})
    void namesThatFilesOrMetricsCannotHoldAreRefused(String name) {
        assertRefused(topic(name, 1, 1), Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void nameMayHave249CharactersAndNoMore() {
        assertThat(creation.plan(topic("x".repeat(249), 1, 1), CLUSTER.image()).name()).hasSize(249);
        assertRefused(topic("x".repeat(250), 1, 1), Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void nameThatReadsLikeAnotherInMetricsIsRefused() {
        assertRefused(topic("a_b", 1, 1), Errors.INVALID_TOPIC_EXCEPTION);
        assertRefused(topic("a.b", 1, 1), Errors.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void defaultsAreThoseOfTheSettings() {
        var plan = creation.plan(topic("t", CreateTopics.DEFAULT, CreateTopics.DEFAULT), CLUSTER.image());

        assertThat(plan.assignments()).hasSize(2);
        assertThat(plan.replicationFactor()).isEqualTo(1);
    }

    @Test
    void countsOutOfRangeAreRefused() {
        assertRefused(topic("t", 0, 1), Errors.INVALID_PARTITIONS);
        assertRefused(topic("t", -2, 1), Errors.INVALID_PARTITIONS);
        assertRefused(topic("t", 1, 0), Errors.INVALID_REPLICATION_FACTOR);
        assertRefused(topic("t", 1, 4), Errors.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void partitionsOfACommandAreCountedOverItsTopics() {
        assertThat(creation.partitionsOf(List.of(topic("t", 10_000, 1), topic("u", Integer.MAX_VALUE, 1), topic("v", -1,
                1),
                topic("w", -7, 1), new NewTopic("x", -1, -1, Map.of(0, List.of(1)), Map.of())))).isEqualTo(10_000L
                        + Integer.MAX_VALUE + 2 + 1);
        assertThat(TopicGrowth.partitionsOf(List.of(new PartitionsSpec("a.b", 10_001, List.of()), new PartitionsSpec(
                "a.b",
                0, List.of()), new PartitionsSpec("none", 5, List.of())), CLUSTER.image())).isEqualTo(10_000 + 5);
    }

    @Test
    void replicasGoToAsManyBrokersAsAreAskedFor() {
        assertThat(creation.plan(topic("t", 3, 3), CLUSTER.image()).assignments()).allSatisfy(
                replicas -> assertThat(replicas).containsExactlyInAnyOrder(1, 2, 3));
    }

    @Test
    void assignmentsMustBeSetsOfRegisteredBrokersForConsecutivePartitions() {
        assertAssignmentRefused(Map.of(0, List.of()));
        assertAssignmentRefused(Map.of(0, List.of(1, 1)));
        assertAssignmentRefused(Map.of(0, List.of(1), 2, List.of(2)));
        assertAssignmentRefused(Map.of(1, List.of(1)));
        assertAssignmentRefused(Map.of(0, List.of(1), 1, List.of(1, 2)));
        assertAssignmentRefused(Map.of(0, List.of(9)));
        assertAssignmentRefused(Map.of(0, List.of(1000)));
    }

    @Test
    void assignmentsAreTakenAsTheyAre() {
        var plan = creation.plan(new NewTopic("t", -1, -1, Map.of(1, List.of(3), 0, List.of(2)), Map.of()), CLUSTER
                .image());

        assertThat(plan.assignments()).containsExactly(List.of(2), List.of(3));
    }

    @Test
    void countsAndAssignmentsTogetherAreRefused() {
        assertRefused(new NewTopic("t", 1, -1, Map.of(0, List.of(1)), Map.of()), Errors.INVALID_REQUEST);
    }

    @Test
    void badConfigurationIsRefused() {
        assertRefused(new NewTopic("t", 1, 1, Map.of(), Map.of("retention.ms", "abc")), Errors.INVALID_CONFIG);
        assertRefused(new NewTopic("t", 1, 1, Map.of(), Map.of("no.such.key", "1")), Errors.INVALID_CONFIG);
    }

    @Test
    void topicGrowsByTheDifference() {
        assertThat(growth.plan(new PartitionsSpec("a.b", 3, List.of()), CLUSTER.image())).containsExactly(List.of(2),
                List
                        .of(3));
        assertThat(growth.plan(new PartitionsSpec("a.b", 2, List.of(List.of(3))), CLUSTER.image())).containsExactly(List
                .of(
                        3));
    }

    @Test
    void growthThatIsNoneIsRefused() {
        assertGrowthRefused(new PartitionsSpec("none", 2, List.of()), Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertGrowthRefused(new PartitionsSpec("a.b", 1, List.of()), Errors.INVALID_PARTITIONS);
        assertGrowthRefused(new PartitionsSpec("a.b", 0, List.of()), Errors.INVALID_PARTITIONS);
        assertGrowthRefused(new PartitionsSpec("a.b", 3, List.of(List.of(1))), Errors.INVALID_REPLICA_ASSIGNMENT);
        assertGrowthRefused(new PartitionsSpec("a.b", 2, List.of(List.of(1, 2))), Errors.INVALID_REPLICA_ASSIGNMENT);
        assertGrowthRefused(new PartitionsSpec("a.b", 2, List.of(List.of(1000))), Errors.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void topicOfTheGroupsKeepsItsSizeSinceThatSaysWhereTheirOffsetsAre() {
        var cluster = CLUSTER.withTopic("__consumer_offsets", List.of(List.of(1), List.of(2)));

        assertThatExceptionOfType(Refused.class).isThrownBy(() -> growth.plan(new PartitionsSpec("__consumer_offsets",
                3,
                List.of()), cluster.image())).matches(refused -> refused.error() == Errors.INVALID_PARTITIONS);
    }

    @Test
    void deletionNamesATopicThatIsThere() {
        var deletion = new TopicDeletion(RULES);

        assertThat(deletion.plan(TopicRef.named("a.b"), CLUSTER.image()).name()).isEqualTo("a.b");
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> deletion.plan(TopicRef.named("none"), CLUSTER
                .image()))
                .matches(refused -> refused.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> deletion.plan(TopicRef.identified(new UUID(1, 1)),
                CLUSTER
                        .image())).matches(refused -> refused.error() == Errors.UNKNOWN_TOPIC_ID);
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> new TopicDeletion(new TopicRules(1, 1, false))
                .plan(
                        TopicRef.named("a.b"), CLUSTER.image())).matches(refused -> refused
                                .error() == Errors.TOPIC_DELETION_DISABLED);
    }

    private static NewTopic topic(String name, int partitions, int replicationFactor) {
        return new NewTopic(name, partitions, replicationFactor, Map.of(), Map.of());
    }

    private void assertAssignmentRefused(Map<Integer, List<Integer>> assignments) {
        assertRefused(new NewTopic("t", -1, -1, assignments, Map.of()), Errors.INVALID_REPLICA_ASSIGNMENT);
    }

    private void assertRefused(NewTopic wanted, Errors error) {
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> creation.plan(wanted, CLUSTER.image())).matches(
                refused -> refused.error() == error, "refused with " + error);
    }

    private void assertGrowthRefused(PartitionsSpec wanted, Errors error) {
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> growth.plan(wanted, CLUSTER.image())).matches(
                refused -> refused.error() == error, "refused with " + error);
    }
}
