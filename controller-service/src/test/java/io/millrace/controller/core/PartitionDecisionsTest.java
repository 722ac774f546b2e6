package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.millrace.controller.core.Observation.ElectionSeen;
import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ReplicasOffline.TopicPartitions;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import org.apache.kafka.common.protocol.Errors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// What comes of partitions when brokers die, stop, lose disks and propose.
class PartitionDecisionsTest {
    private static final UUID NOWHERE = new UUID(404, 404);

    private final Term term = new Term(Cluster.ofBrokers(0, 1, 2));

    /// Partitions 0, 1, ... of `name`, all with these replicas in this ISR, led by the first of it.
    private void topic(String name, int partitions, List<Integer> replicas, List<Integer> isr) {
        var empty = Cluster.empty().withTopic(name, Collections.nCopies(partitions, replicas)).image();
        var id = empty.topic(name).orElseThrow().id();
        term.put(new TopicPut(name, id));
        for (int partition = 0; partition < partitions; partition++) {
            term.put(new PartitionPut(id, new PartitionImage(partition, replicas, isr, List.of(), List.of(), isr
                    .getFirst(), 4, 9)));
        }
    }

    private Proposal proposal(String topic, int partition, Integer... isr) {
        var now = term.partition(topic, partition);
        return new Proposal(term.topic(topic).id(), partition, now.leaderEpoch(), now.partitionEpoch(), List.of(isr)
                .stream()
                .map(id -> new InSync(id, AlterPartition.ANY_EPOCH))
                .toList());
    }

    private List<Errors> errors(List<Outcome> outcomes) {
        return outcomes.stream().map(outcome -> Errors.forCode(outcome.errorCode())).toList();
    }

    private Decision gone(int broker) {
        var others = term.image().nodes().all().stream().filter(node -> node.id() != broker).toList();
        return term.observed(Observation.NOTHING.withNodes(List.copyOf(others)));
    }

    private void back(int broker, long epoch) {
        var nodes = new ArrayList<NodeImage>(term.image().nodes().all());
        nodes.add(Cluster.node(Role.BROKER, broker, epoch, null, NodeState.FENCED));
        term.observed(Observation.NOTHING.withNodes(nodes));
        term.happened(new ControllerEvent.StreamUp(new NodeKey(Role.BROKER, broker), epoch, null, ""));
    }

    @Test
    void classicWalkThroughShowsKafkasLeadersAndIsrs() {
        topic("my-replicated-topic", 1, List.of(1, 2, 0), List.of(1, 2, 0));

        gone(1);
        assertThat(term.partition("my-replicated-topic", 0)).isEqualTo(new PartitionImage(0, List.of(1, 2, 0), List.of(
                2,
                0), List.of(), List.of(), 2, 5, 10));
        back(1, 7);
        assertThat(term.partition("my-replicated-topic", 0).isr()).containsExactly(2, 0);
        var answer = term.asked(new AlterPartition(2, 1, List.of(proposal("my-replicated-topic", 0, 1, 2, 0))));

        var back = new PartitionImage(0, List.of(1, 2, 0), List.of(2, 0, 1), List.of(), List.of(), 2, 5, 11);
        assertThat(term.partition("my-replicated-topic", 0)).isEqualTo(back);
        assertThat(answer.result().outcomes()).containsExactly(new Outcome(term.topic("my-replicated-topic").id(), 0,
                (short) 0, 2, 5, 11, List.of(2, 0, 1)));
        assertThat(answer.decision().writes()).containsExactly(new StoreWrite.StateWrite("my-replicated-topic", back));
    }

    @Test
    void deathOfABrokerCostsOnlyWhatItHeld() {
        topic("held", 3, List.of(1, 2), List.of(1, 2));
        topic("elsewhere", 500, List.of(0, 2), List.of(0, 2));

        var decision = gone(1);

        assertThat(decision.writes()).hasSize(3);
        assertThat(term.topic("held").partitions()).allMatch(partition -> partition.leader() == 2);
        assertThat(term.topic("elsewhere").partitions()).allMatch(partition -> partition.partitionEpoch() == 9);
    }

    /// ZooKeeper was away for longer than sessions last, and meanwhile broker 0 died: the others lost their sessions alone.
    @Test
    void brokersThatLiveOnUnderNewRegistrationsStayInSyncAndTakeOverFromADeadOne() {
        for (int broker : List.of(0, 1, 2)) {
            term.put(new NodePut(Cluster.broker(broker, null).ofLife("life-" + broker)));
        }
        topic("t", 1, List.of(0, 1, 2), List.of(0, 1, 2));

        registered(2, 8, "life-2");
        registered(1, 9, "life-1");
        assertThat(term.partition("t", 0).isr()).containsExactly(0, 1, 2);
        gone(0);

        assertThat(term.partition("t", 0).leader()).isEqualTo(1);
        assertThat(term.partition("t", 0).isr()).containsExactly(1, 2);
    }

    @Test
    void anotherLifeUnderTheSameIdLeavesItsIsrs() {
        for (int broker : List.of(0, 1, 2)) {
            term.put(new NodePut(Cluster.broker(broker, null).ofLife("life-" + broker)));
        }
        topic("t", 1, List.of(0, 1, 2), List.of(0, 1, 2));

        registered(0, 8, "another");

        assertThat(term.partition("t", 0).leader()).isEqualTo(1);
        assertThat(term.partition("t", 0).isr()).containsExactly(1, 2);
    }

    /// In place of the registration that was there.
    private void registered(int broker, long epoch, String life) {
        var nodes = new ArrayList<>(term.image().nodes().all().stream().filter(node -> node.id() != broker).toList());
        nodes.add(Cluster.node(Role.BROKER, broker, epoch, null, NodeState.FENCED).ofLife(life));
        term.observed(Observation.NOTHING.withNodes(nodes));
    }

    @Test
    void lastOneInSyncStaysThereAndLeadsAgainInItsNextLife() {
        topic("t", 1, List.of(1, 2), List.of(1));

        gone(1);
        assertThat(term.partition("t", 0)).isEqualTo(new PartitionImage(0, List.of(1, 2), List.of(1), List.of(), List
                .of(), -1, 5, 10));
        back(1, 7);

        assertThat(term.partition("t", 0)).isEqualTo(new PartitionImage(0, List.of(1, 2), List.of(1), List.of(), List
                .of(), 1, 6, 11));
    }

    @Test
    void proposalsSucceedAndFailEachForItselfInTheirOrder() {
        topic("t", 4, List.of(1, 2, 0), List.of(1, 2));
        var good = proposal("t", 0, 1, 2, 0);
        var stale = new Proposal(good.topicId(), 1, 4, 8, good.isr());

        var answer = term.asked(new AlterPartition(1, 1, List.of(good, stale, new Proposal(NOWHERE, 0, 4, 9, good
                .isr()), new Proposal(good.topicId(), 4, 4, 9, good.isr()), proposal("t", 3, 1, 2), good)));

        assertThat(errors(answer.result().outcomes())).containsExactly(Errors.NONE, Errors.INVALID_UPDATE_VERSION,
                Errors.UNKNOWN_TOPIC_ID, Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.NONE,
                Errors.OPERATION_NOT_ATTEMPTED);
        assertThat(answer.decision().writes()).hasSize(2);
        assertThat(answer.result().outcomes().get(4).partitionEpoch()).isEqualTo(10);
    }

    @Test
    void repeatedProposalAnswersTheStateAndWritesNothing() {
        topic("t", 1, List.of(1, 2, 0), List.of(1, 2));
        var proposal = proposal("t", 0, 1, 2, 0);
        var first = term.asked(new AlterPartition(1, 1, List.of(proposal)));

        var again = term.asked(new AlterPartition(1, 1, List.of(proposal)));

        assertThat(again.result()).isEqualTo(first.result());
        assertThat(again.decision().writes()).isEmpty();
        assertThat(again.decision().records()).isEmpty();
    }

    @Test
    void anotherLifeOfALeaderIsRefusedAsAWhole() {
        topic("t", 1, List.of(1, 2, 0), List.of(1, 2));
        var proposals = List.of(proposal("t", 0, 1, 2, 0));

        assertThatExceptionOfType(CommandRefused.class).isThrownBy(() -> term.asked(new AlterPartition(1, 2,
                proposals)))
                .matches(refused -> refused.errorCode() == Errors.STALE_BROKER_EPOCH.code());
        assertThatExceptionOfType(CommandRefused.class).isThrownBy(() -> term.asked(new AlterPartition(9, 1,
                proposals)))
                .matches(refused -> refused.errorCode() == Errors.BROKER_ID_NOT_REGISTERED.code());
    }

    @Test
    void failedLogDirectoryMovesItsLeadersAndIsForgottenInTheNextLife() {
        topic("t", 3, List.of(1, 2), List.of(1, 2));
        var id = term.topic("t").id();
        var command = new ReplicasOffline(1, 1, List.of(new TopicPartitions(id, List.of(0, 2)), new TopicPartitions(
                NOWHERE, List.of(0))));

        term.asked(command);

        assertThat(term.topic("t").partitions()).extracting(PartitionImage::leader).containsExactly(2, 1, 2);
        assertThat(term.partition("t", 0).isr()).containsExactly(2);
        assertThat(term.image().broker(1).orElseThrow().failedReplicas()).isEqualTo(Map.of(id, Set.of(0, 2)));
        assertThat(term.asked(command).decision().records()).as("repeated").isEmpty();
        assertThat(errors(term.asked(new AlterPartition(2, 1, List.of(proposal("t", 0, 2, 1)))).result().outcomes()))
                .containsExactly(Errors.INELIGIBLE_REPLICA);
        gone(1);
        back(1, 7);
        assertThat(errors(term.asked(new AlterPartition(2, 1, List.of(proposal("t", 0, 2, 1)))).result().outcomes()))
                .containsExactly(Errors.NONE);
    }

    @Test
    void partitionWhoseOnlyReplicaInSyncFailedHasNoLeaderThoughTheBrokerLives() {
        topic("t", 1, List.of(1, 2), List.of(1));

        term.asked(new ReplicasOffline(1, 1, List.of(new TopicPartitions(term.topic("t").id(), List.of(0)))));

        assertThat(term.partition("t", 0).hasLeader()).isFalse();
        assertThat(term.partition("t", 0).isr()).containsExactly(1);
    }

    @Test
    void controlledShutdownHandsOverInBatchesLeadersFirstAndThenLeavesTheIsrs() {
        int led = Shutdowns.HANDED_OVER_AT_ONCE + 50;
        topic("followed", 100, List.of(2, 1), List.of(2, 1));
        topic("led", led, List.of(1, 2), List.of(1, 2));
        topic("alone", 3, List.of(1), List.of(1));
        topic("behind", 2, List.of(1, 2), List.of(1));
        var command = new ControlledShutdown(Role.BROKER, 1, 1);

        var first = term.asked(command);
        assertThat(first.goesOn()).isTrue();
        assertThat(first.decision().writes()).hasSize(Shutdowns.HANDED_OVER_AT_ONCE);
        assertThat(term.topic("followed").partitions()).allMatch(partition -> partition.isr().contains(1));
        assertThat(term.image().broker(1).orElseThrow().state()).isEqualTo(NodeState.SHUTTING_DOWN);
        var second = term.asked(command);
        assertThat(second.goesOn()).isTrue();
        assertThat(second.decision().writes()).as("all that it leads, and nothing else").hasSize(50);
        assertThat(term.topic("followed").partitions()).allMatch(partition -> partition.isr().contains(1));
        var last = term.asked(command);

        assertThat(last.goesOn()).isFalse();
        assertThat(last.decision().writes()).hasSize(100);
        assertThat(last.result().remaining()).isEqualTo(2);
        assertThat(term.topic("led").partitions()).allMatch(partition -> partition.leader() == 2 && partition.isr()
                .equals(List.of(2)));
        assertThat(term.topic("followed").partitions()).allMatch(partition -> partition.isr().equals(List.of(2)));
        assertThat(term.topic("alone").partitions()).allMatch(partition -> partition.leader() == 1);
        assertThat(term.asked(command).decision().writes()).as("repeated").isEmpty();
    }

    @Test
    void brokerThatShutsDownComesIntoNoIsrAndHandsOverToWhoCatchesUpMeanwhile() {
        topic("t", 1, List.of(1, 2), List.of(1));
        topic("u", 1, List.of(2, 1), List.of(2));
        var command = new ControlledShutdown(Role.BROKER, 1, 1);
        assertThat(term.asked(command).result().remaining()).isEqualTo(1);

        assertThat(errors(term.asked(new AlterPartition(2, 1, List.of(proposal("u", 0, 2, 1)))).result().outcomes()))
                .containsExactly(Errors.INELIGIBLE_REPLICA);
        assertThat(errors(term.asked(new AlterPartition(1, 1, List.of(proposal("t", 0, 1, 2)))).result().outcomes()))
                .containsExactly(Errors.NONE);
        assertThat(term.asked(command).result().remaining()).isZero();
        assertThat(term.partition("t", 0).leader()).isEqualTo(2);
    }

    @Test
    void brokerThatStoppedWellAndStartedIsALeaderAgainWhenTheOtherStops() {
        topic("t", 1, List.of(0, 1), List.of(0, 1));
        term.asked(new ControlledShutdown(Role.BROKER, 1, 1));
        gone(1);
        back(1, 7);
        term.asked(new AlterPartition(0, 1, List.of(proposal("t", 0, 0, 1))));

        assertThat(term.asked(new ControlledShutdown(Role.BROKER, 0, 1)).result().remaining()).isZero();

        assertThat(term.partition("t", 0).leader()).isEqualTo(1);
    }

    @Test
    void uncleanElectionThatIsSwitchedOnElectsForWhoHasNoLeader() {
        topic("by-topic", 1, List.of(1, 2), List.of(1));
        topic("by-default", 1, List.of(1, 2), List.of(1));
        gone(1);
        assertThat(term.partition("by-topic", 0).hasLeader()).isFalse();

        term.asked(unclean(ConfigResource.topic("by-topic")));
        assertThat(term.partition("by-topic", 0).leader()).isEqualTo(2);
        assertThat(term.partition("by-topic", 0).isr()).containsExactly(2);
        assertThat(term.partition("by-default", 0).hasLeader()).isFalse();
        term.observed(Observation.NOTHING.withConfigs(Map.of(ConfigResource.allBrokers(),
                new Observation.ConfigSeen.Present(Map.of("unclean.leader.election.enable", "true"), 1))));

        assertThat(term.partition("by-default", 0).leader()).isEqualTo(2);
    }

    private static AlterConfigs unclean(ConfigResource resource) {
        return new AlterConfigs(List.of(new ConfigAlteration(resource, List.of(new Op("unclean.leader.election.enable",
                "true", OpType.SET)))), false, false);
    }

    @Test
    void preferredElectionMovesWhatItCanAndSaysWhyNotWhereItCannot() {
        topic("away", 1, List.of(1, 2), List.of(2, 1));
        topic("there", 1, List.of(2, 1), List.of(2, 1));
        topic("behind", 1, List.of(1, 2), List.of(2));

        var named = term.asked(new ElectLeaders(ElectLeaders.Type.PREFERRED, List.of(new TopicPartition("away", 0),
                new TopicPartition("there", 0), new TopicPartition("behind", 0), new TopicPartition("none", 0),
                new TopicPartition("away", 1), new TopicPartition("away", 0)), 100));

        assertThat(named.result().outcomes()).extracting(outcome -> Errors.forCode(outcome.errorCode()))
                .containsExactly(Errors.NONE, Errors.ELECTION_NOT_NEEDED, Errors.PREFERRED_LEADER_NOT_AVAILABLE,
                        Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(named.late().outcomes().getFirst().errorCode()).isEqualTo(Errors.REQUEST_TIMED_OUT.code());
        assertThat(named.waitMillis()).isEqualTo(100);
        assertThat(term.partition("away", 0)).isEqualTo(new PartitionImage(0, List.of(1, 2), List.of(2, 1), List.of(),
                List.of(), 1, 5, 10));
        var all = term.asked(new ElectLeaders(ElectLeaders.Type.PREFERRED, null, 100));
        assertThat(all.result().outcomes()).extracting(ElectLeaders.Outcome::topic).containsExactly("behind");
    }

    @Test
    void uncleanElectionByCommandIsForPartitionsWithoutALeader() {
        topic("lost", 1, List.of(1, 2), List.of(1));
        topic("led", 1, List.of(2, 1), List.of(2));
        topic("gone", 1, List.of(1), List.of(1));
        gone(1);

        var answer = term.asked(new ElectLeaders(ElectLeaders.Type.UNCLEAN, List.of(new TopicPartition("lost", 0),
                new TopicPartition("led", 0), new TopicPartition("gone", 0)), 0));

        assertThat(answer.result().outcomes()).extracting(outcome -> Errors.forCode(outcome.errorCode()))
                .containsExactly(Errors.NONE, Errors.ELECTION_NOT_NEEDED, Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE);
        assertThat(term.partition("lost", 0)).isEqualTo(new PartitionImage(0, List.of(1, 2), List.of(2), List.of(), List
                .of(), 2, 6, 11));
    }

    @Test
    void electionAskedForByAnOldToolMovesWhatItCanDropsTheRestWithAReasonAndEnds() {
        topic("away", 2, List.of(1, 2), List.of(2, 1));
        topic("behind", 1, List.of(1, 2), List.of(2));

        var decision = term.observed(Observation.NOTHING.withElection(Optional.of(new ElectionSeen(List.of(
                new TopicPartition("away", 0), new TopicPartition("behind", 0), new TopicPartition("none", 3)), 4))));

        assertThat(term.topic("away").partitions()).extracting(PartitionImage::leader).containsExactly(1, 2);
        assertThat(decision.writes()).hasSize(2).last().isEqualTo(new StoreWrite.ElectionDone(4));
        assertThat(decision.notes()).extracting(Decision.Note::line).last(as(InstanceOfAssertFactories.STRING))
                .contains(
                        "behind-0", "none-3");
    }

    @Test
    void electionThatCannotBeReadEndsWithoutOne() {
        topic("away", 1, List.of(1, 2), List.of(2, 1));

        var decision = term.observed(Observation.NOTHING.withElection(Optional.of(new ElectionSeen(null, 4))));

        assertThat(decision.writes()).containsExactly(new StoreWrite.ElectionDone(4));
        assertThat(decision.notes()).hasSize(1);
        assertThat(term.partition("away", 0).leader()).isEqualTo(2);
    }

    @Test
    void newPartitionsHaveAllLivingReplicasInSync() {
        term.put(new NodePut(Cluster.node(Role.BROKER, 2, 1, null,
                NodeState.FENCED)));

        term.asked(new CreateTopics(List.of(
                new NewTopic("t", -1, -1, Map.of(0, List.of(2, 1, 0)), Map
                        .of())), false, 0));

        assertThat(term.partition("t", 0)).isEqualTo(new PartitionImage(0, List.of(2, 1, 0), List.of(1, 0), List.of(),
                List.of(), 1, 0, 0));
    }
}
