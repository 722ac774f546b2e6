package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.controller.core.Observation.MovesSeen;
import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.fixture.Cluster;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.topic.FakeConfigRules;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/// Topic `t` on brokers 1 and 2 (partition 0) and 2 and 3 (partition 1), all in sync; broker 4 is empty.
class MovesTest {
    private static final UUID ID = new UUID(1, 2);

    private final Decider decider = new Decider(new TopicRules(1, 1, true), new FakeConfigRules(), AlikeTopics.of(1, 1,
            Map.of()), new ElectionRules(false, 1), UUID::randomUUID, new Random(1));
    private ControllerState state = takenOver(new MovesSeen.Absent());

    private ControllerState takenOver(MovesSeen asked) {
        var node = new TopicNode(ID, Map.of(0, List.of(1, 2), 1, List.of(2, 3)));
        return took(node, Map.of(0, new PartitionSeen(1, 5, List.of(1, 2), List.of(), 9), 1, new PartitionSeen(2, 5,
                List.of(2, 3),
                List.of(), 9)), asked).next();
    }

    private Decision took(TopicNode node, Map<Integer, PartitionSeen> states, MovesSeen asked) {
        var brokers = new ArrayList<NodeImage>();
        List.of(1, 2, 3, 4).forEach(id -> brokers.add(Cluster.broker(id, null)));
        return decider.takeOver(new Office(0, 1, 1), Observation.NOTHING.withNodes(brokers)
                .withTopics(Map.of("t", new TopicSeen.Present(node, 3, states, ID)))
                .with(asked)
                .with(new ProducerIds(0, 0))
                .with(new Observation.Whole("c", Set.of())));
    }

    private Decision decide(Decision decision) {
        state = decision.next();
        return decision;
    }

    private Answer<AlterReassignments.Result> ask(boolean validateOnly, Target... targets) {
        return decider.asked(state, new AlterReassignments(List.of(targets), false, validateOnly, 60_000));
    }

    private Decision seen(MovesSeen asked) {
        return decide(decider.observed(state, Observation.NOTHING.with(asked)));
    }

    private Decision inSync(int partition, Integer... isr) {
        var now = partition(partition);
        return decide(decider.asked(state, new AlterPartition(now.leader(), 1, List.of(new Proposal(ID, partition, now
                .leaderEpoch(), now.partitionEpoch(), List.of(isr).stream().map(id -> new InSync(id, 1)).toList()))))
                .decision());
    }

    private PartitionImage partition(int number) {
        return state.image().partition("t", number).orElseThrow();
    }

    private static TopicNode written(Decision decision) {
        return decision.writes()
                .stream()
                .filter(StoreWrite.TopicWrite.class::isInstance)
                .map(write -> ((StoreWrite.TopicWrite) write).node())
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private static List<String> kinds(Decision decision) {
        return decision.writes().stream().map(write -> write.getClass().getSimpleName()).toList();
    }

    @Test
    void partitionsOfATopicAreMovedByOneWriteOfItsNodeAfterTheirStates() {
        var answer = ask(false, new Target("t", 0, List.of(4, 2)), new Target("t", 1, List.of(3, 4)));
        var decision = decide(answer.decision());

        assertThat(answer.result().outcomes()).allMatch(outcome -> outcome.errorCode() == 0);
        assertThat(answer.waitMillis()).isBetween(1L, 10_000L);
        assertThat(kinds(decision)).containsExactly("StateWrite", "StateWrite", "TopicWrite");
        assertThat(written(decision).json()).contains("\"partitions\":{\"0\":[4,2,1],\"1\":[3,4,2]}",
                "\"adding_replicas\":{\"0\":[4],\"1\":[4]}", "\"removing_replicas\":{\"0\":[1],\"1\":[2]}");
        assertThat(decision.notes()).singleElement().satisfies(note -> assertThat(note.line()).contains("topic=t",
                "partitions=2"));
    }

    @Test
    void targetThatJoinsTheIsrEndsTheMoveInTheSameDecision() {
        decide(ask(false, new Target("t", 0, List.of(4, 2))).decision());

        var decision = inSync(0, 1, 2, 4);

        assertThat(kinds(decision)).containsExactly("StateWrite", "StateWrite", "TopicWrite");
        assertThat(partition(0)).isEqualTo(new PartitionImage(0, List.of(4, 2), List.of(2, 4), List.of(), List.of(), 4,
                6, 12));
        assertThat(written(decision).json()).contains("\"0\":[4,2]", "\"adding_replicas\":{}",
                "\"removing_replicas\":{}");
    }

    @Test
    void proposalThatWasMadeBeforeTheMoveIsRefused() {
        var before = partition(0);
        decide(ask(false, new Target("t", 0, List.of(4, 2))).decision());

        var answer = decider.asked(state, new AlterPartition(1, 1, List.of(new Proposal(ID, 0, before.leaderEpoch(),
                before.partitionEpoch(), List.of(new InSync(1, 1))))));

        assertThat(answer.result().outcomes()).singleElement().satisfies(outcome -> assertThat(Errors.forCode(outcome
                .errorCode())).isEqualTo(Errors.INVALID_UPDATE_VERSION));
    }

    @Test
    void eachTargetSucceedsOrFailsForItself() {
        var outcomes = ask(false, new Target("t", 0, List.of(4, 2)), new Target("t", 0, List.of(3, 2)), new Target("t",
                1, null), new Target("t", 7, List.of(1, 2)), new Target("u", 0, List.of(1, 2)), new Target("t", 1, List
                        .of(9, 2)), new Target("t", 1, List.of(1))).result().outcomes();

        assertThat(outcomes).extracting(outcome -> Errors.forCode(outcome.errorCode())).containsExactly(Errors.NONE,
                Errors.INVALID_REQUEST, Errors.NO_REASSIGNMENT_IN_PROGRESS, Errors.UNKNOWN_TOPIC_OR_PARTITION,
                Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.INVALID_REPLICA_ASSIGNMENT,
                Errors.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void whatIsOnlyValidatedOrThereAlreadyChangesNothing() {
        assertThat(ask(true, new Target("t", 0, List.of(4, 2))).decision().writes()).isEmpty();
        assertThat(ask(false, new Target("t", 0, List.of(1, 2))).decision().writes()).isEmpty();
        decide(ask(false, new Target("t", 0, List.of(4, 2))).decision());
        assertThat(ask(false, new Target("t", 0, List.of(4, 2))).decision().writes()).isEmpty();
    }

    @Test
    void oldToolsNodeKeepsWhatGoesOnAndLosesWhatIsOverOrCannotBe() {
        var begun = seen(new MovesSeen.Present(List.of(new Move("t", 0, List.of(4, 2)), new Move("t", 1, List.of(3, 2)),
                new Move("ghost", 0, List.of(1)), new Move("t", 0, List.of(9))), 0));

        assertThat(partition(1).replicas()).containsExactly(3, 2);
        assertThat(begun.writes()).last().isEqualTo(new StoreWrite.AskedMovesWrite(List.of(new Move("t", 0, List.of(4,
                2))), 0));
        assertThat(begun.notes()).anySatisfy(note -> assertThat(note.line()).contains("dropped count=2", "ghost-0",
                "t-0 (Replica assignment has brokers that are not alive"));

        var ended = inSync(0, 1, 2, 4);

        assertThat(ended.writes()).last().isEqualTo(new StoreWrite.AskedMovesWrite(List.of(), 1));
        assertThat(state.askedMoves()).isEqualTo(ControllerState.AskedMoves.NONE);
    }

    @Test
    void oldToolMayChangeTheNumberOfReplicas() {
        seen(new MovesSeen.Present(List.of(new Move("t", 0, List.of(1, 2, 4))), 0));

        assertThat(partition(0).adding()).containsExactly(4);
    }

    @Test
    void oldToolsNodeThatMakesNoSenseGoes() {
        var decision = seen(new MovesSeen.Unreadable(3));

        assertThat(decision.writes()).containsExactly(new StoreWrite.AskedMovesWrite(List.of(), 3));
        assertThat(decision.notes()).hasSize(1);
        assertThat(seen(new MovesSeen.Present(List.of(), 0)).writes()).containsExactly(new StoreWrite.AskedMovesWrite(
                List.of(), 0));
    }

    @Test
    void commandTakesItsPartitionsOutOfTheOldToolsNodeBeforeAllElse() {
        seen(new MovesSeen.Present(List.of(new Move("t", 0, List.of(4, 2)), new Move("t", 1, List.of(4, 3))), 0));

        var replaced = decide(ask(false, new Target("t", 0, List.of(3, 1))).decision());
        assertThat(replaced.writes().getFirst()).isEqualTo(new StoreWrite.AskedMovesWrite(List.of(new Move("t", 1, List
                .of(4, 3))), 0));

        var calledOff = decide(ask(false, new Target("t", 1, null)).decision());
        assertThat(calledOff.writes().getFirst()).isEqualTo(new StoreWrite.AskedMovesWrite(List.of(), 1));
        assertThat(partition(1).isMoving()).isFalse();
    }

    @Test
    void deletionOfATopicEndsWhatAnOldToolAskedOfIt() {
        seen(new MovesSeen.Present(List.of(new Move("t", 0, List.of(4, 2))), 0));

        var decision = decide(decider.asked(state, new DeleteTopics(List.of(TopicRef.named("t")), 0)).decision());

        assertThat(decision.writes()).last().isEqualTo(new StoreWrite.AskedMovesWrite(List.of(), 0));
    }

    @Test
    void controllerThatTakesOverFinishesAMoveWhoseStateIsWrittenAndWhoseNodeIsNot() {
        var node = new TopicNode(ID, new TreeMap<>(Map.of(0, List.of(4, 2, 1))), new TreeMap<>(Map.of(0, List.of(4))),
                new TreeMap<>(Map.of(0, List.of(1))), Map.of());

        var decision = decide(took(node, Map.of(0, new PartitionSeen(4, 6, List.of(2, 4), List.of(), 12)),
                new MovesSeen.Present(
                        List.of(new Move("t", 0, List.of(4, 2))), 5)));

        assertThat(partition(0)).isEqualTo(new PartitionImage(0, List.of(4, 2), List.of(2, 4), List.of(), List.of(), 4,
                6, 13));
        assertThat(decision.writes()).last().isEqualTo(new StoreWrite.AskedMovesWrite(List.of(), 5));
        assertThat(written(decision).json()).contains("\"0\":[4,2]", "\"adding_replicas\":{}");
    }

    @Test
    void toolThatWritesATopicsNodeDoesNotStopItsMoves() {
        decide(ask(false, new Target("t", 0, List.of(4, 2))).decision());
        var moving = partition(0);
        var old = new TopicNode(null, new TreeMap<>(Map.of(0, List.of(1, 2), 1, List.of(2, 3), 2, List.of(4, 1))),
                new TreeMap<>(), new TreeMap<>(), Map.of());

        var decision = look(new TopicSeen.Present(old, 5, null, ID));

        assertThat(partition(0)).isEqualTo(moving);
        assertThat(partition(2).leader()).isEqualTo(4);
        assertThat(written(decision).json()).contains("\"0\":[4,2,1]", "\"adding_replicas\":{\"0\":[4]}",
                "\"topic_id\"");
    }

    @Test
    void topicWhoseNodeWasRemovedByHandIsWrittenBackWithANote() {
        var decision = look(new TopicSeen.Absent(ID));

        assertThat(state.image().topic("t").orElseThrow().id()).isEqualTo(ID);
        assertThat(kinds(decision)).containsExactly("TopicWrite", "StateWrite", "StateWrite");
        assertThat(decision.writes().getFirst()).isInstanceOfSatisfying(StoreWrite.TopicWrite.class,
                write -> assertThat(
                        write.version()).isEqualTo(StoreWrite.CREATE));
        assertThat(partition(0)).isEqualTo(new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1,
                6, 0));
        assertThat(decision.notes()).singleElement().satisfies(note -> assertThat(note.line()).contains(
                "removed by hand", "topic=t"));
    }

    @Test
    void topicThatAControllerDeletedOrThatAnotherOneReplacedIsForgotten() {
        var decision = look(new TopicSeen.Absent(null));

        assertThat(state.image().topic("t")).isEmpty();
        assertThat(kinds(decision)).containsExactly("TopicIdForgotten");
    }

    private Decision look(TopicSeen seen) {
        return decide(decider.observed(state, Observation.NOTHING.withTopics(Map.of("t", seen))));
    }
}
