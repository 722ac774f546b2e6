package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData.ListPartitionReassignmentsTopics;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePVector;

/// AlterPartitionReassignments, ListPartitionReassignments.
class ReassignmentHandlersTest {
    private final FakeController controller = new FakeController();

    private static ReassignableTopic topic(String name, ReassignablePartition... partitions) {
        return new ReassignableTopic().setName(name).setPartitions(List.of(partitions));
    }

    private static ReassignablePartition partition(int number, @Nullable List<Integer> replicas) {
        return new ReassignablePartition().setPartitionIndex(number).setReplicas(replicas);
    }

    @Test
    void movesAreForwardedAndEachPartitionHasItsOutcome() {
        controller.answers(_ -> new AlterReassignments.Result(List.of(new Outcome("t", 0, (short) 0, null), new Outcome(
                "t", 1, Errors.NO_REASSIGNMENT_IN_PROGRESS.code(), "none"), new Outcome("u", 0, (short) 3, "no"))));
        var request = new AlterPartitionReassignmentsRequestData().setTimeoutMs(77)
                .setAllowReplicationFactorChange(false)
                .setTopics(List.of(topic("t", partition(0, List.of(2, 1)), partition(1, null)), topic("u", partition(0,
                        List.of(3)))));

        var answer = Calls.call(new AlterPartitionReassignmentsHandler(new Forwarding(controller)), request, 1);

        assertThat(controller.asked).containsExactly(new AlterReassignments(List.of(new Target("t", 0, List.of(2, 1)),
                new Target("t", 1, null), new Target("u", 0, List.of(3))), false, false, 77));
        assertThat(answer.errorCode()).isZero();
        assertThat(answer.allowReplicationFactorChange()).isFalse();
        assertThat(answer.responses()).extracting(topic -> topic.name() + topic.partitions()
                .stream()
                .map(told -> told.partitionIndex() + ":" + told.errorCode() + ":" + told.errorMessage())
                .toList()).containsExactly("t[0:0:null, 1:85:none]", "u[0:3:no]");
    }

    @Test
    void oldFormOfTheRequestLetsTheReplicationFactorChange() {
        controller.answers(_ -> new AlterReassignments.Result(List.of()));

        Calls.call(new AlterPartitionReassignmentsHandler(new Forwarding(controller)),
                new AlterPartitionReassignmentsRequestData().setTopics(List.of(topic("t", partition(0, List.of(1))))),
                0);

        assertThat(controller.asked).singleElement().isInstanceOfSatisfying(AlterReassignments.class, command -> {
            assertThat(command.allowReplicationFactorChange()).isTrue();
            assertThat(command.timeoutMillis()).isEqualTo(60_000);
        });
    }

    @Test
    void nothingAskedIsNothingForwarded() {
        var answer = Calls.call(new AlterPartitionReassignmentsHandler(new Forwarding(controller)),
                new AlterPartitionReassignmentsRequestData(), 1);

        assertThat(answer.responses()).isEmpty();
        assertThat(controller.asked).isEmpty();
    }

    private static ClusterImage moving() {
        var still = new PartitionImage(0, List.of(1), List.of(1), List.of(), List.of(), 1, 0, 0);
        var moved = new PartitionImage(1, List.of(2, 1), List.of(1), List.of(2), List.of(1), 1, 0, 0);
        var shrunk = new PartitionImage(2, List.of(2, 1), List.of(1), List.of(), List.of(1), 1, 0, 0);
        return Clusters.with(Clusters.usual(), new TopicImage("t", new UUID(5, 5), TreePVector.singleton(still)
                .plus(moved).plus(shrunk)));
    }

    private static List<String> listed(@Nullable List<ListPartitionReassignmentsTopics> topics) {
        return Calls.call(new ListPartitionReassignmentsHandler(ReassignmentHandlersTest::moving),
                new ListPartitionReassignmentsRequestData().setTopics(topics), 0).topics().stream().map(topic -> topic
                        .name() + topic.partitions()
                                .stream()
                                .map(told -> told.partitionIndex() + ":" + told.replicas() + "+" + told.addingReplicas()
                                        + "-" + told.removingReplicas())
                                .toList()).toList();
    }

    @Test
    void whatMovesIsListedWithWhatComesAndWhatGoes() {
        var all = List.of("t[1:[2, 1]+[2]-[1], 2:[2, 1]+[]-[1]]");

        assertThat(listed(null)).isEqualTo(all);
        assertThat(listed(List.of(asked("t", 0, 1, 2, 7, -1, 1), asked("orders", 0), asked("ghost", 0)))).isEqualTo(
                all);
        assertThat(listed(List.of(asked("t", 0)))).isEmpty();
        assertThat(listed(List.of())).isEmpty();
    }

    private static ListPartitionReassignmentsTopics asked(String name, Integer... partitions) {
        return new ListPartitionReassignmentsTopics().setName(name).setPartitionIndexes(List.of(partitions));
    }
}
