package io.millrace.controller.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsrChangeTest {
    private static final UUID TOPIC = new UUID(7, 8);
    /// Led by 2 at leader epoch 4 and partition epoch 9; 3 was out of sync.
    private static final PartitionImage NOW = new PartitionImage(5, List.of(1, 2, 3, 4, 6), List.of(2, 1), List.of(),
            List.of(), 2, 4, 9);
    /// 4 is fenced, 6 shuts down, and the replica of 7 failed.
    private static final LiveReplicas LIVE = LiveReplicas.of(Cluster.ofBrokers(1, 2, 3)
            .with(Cluster.node(Role.BROKER, 4, 1, null, NodeState.FENCED))
            .with(Cluster.node(Role.BROKER, 6, 1, null, NodeState.SHUTTING_DOWN))
            .with(Cluster.broker(7, null).withFailed(Map.of(TOPIC, Set.of(5))))
            .image());

    @Test
    void replicaThatCaughtUpComesToTheEndAndOneThatFellBehindLeavesTheOthersInTheirOrder() {
        assertThat(of(proposal(4, 9, 1, 2, 3))).isEqualTo(new PartitionImage(5, NOW.replicas(), List.of(2, 1, 3), List
                .of(), List.of(), 2, 4, 10));
        assertThat(of(proposal(4, 9, 3, 2))).isEqualTo(new PartitionImage(5, NOW.replicas(), List.of(2, 3), List.of(),
                List.of(), 2, 4, 10));
    }

    @Test
    void proposalOfWhatIsInForceSucceedsAndChangesNothingWhereItWasMadeOnAnOlderState() {
        assertThat(of(proposal(4, 7, 2, 1))).isSameAs(NOW);
    }

    @Test
    void leaderThatProposesTheStateThatItKnowsGetsAnEpochInWhichOlderProposalsComeToNothing() {
        var confirmed = of(proposal(4, 9, 1, 2));

        assertThat(confirmed).isEqualTo(new PartitionImage(5, NOW.replicas(), List.of(2, 1), List.of(), List.of(), 2, 4,
                10));
        assertRefused(confirmed, proposal(4, 9, 1, 2, 3), Errors.INVALID_UPDATE_VERSION);
    }

    @ParameterizedTest(name = "leader epoch {0} partition epoch {1} isr {2} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
            3 | 9  | 2,1,3   | FENCED_LEADER_EPOCH
            3 | 9  | 2,1     | FENCED_LEADER_EPOCH
            5 | 9  | 2,1,3   | NOT_CONTROLLER
            4 | 10 | 2,1,3   | NOT_CONTROLLER
            4 | 8  | 2,1,3   | INVALID_UPDATE_VERSION
            4 | 9  | 1,3     | INVALID_REQUEST
            4 | 9  | 2,2,1   | INVALID_REQUEST
            4 | 9  | 2,1,5   | INVALID_REQUEST
            4 | 9  | 2,1,4   | INELIGIBLE_REPLICA
            4 | 9  | 2,1,6   | INELIGIBLE_REPLICA
            """)
    void refusedAsKafkaRefusesIt(int leaderEpoch, int partitionEpoch, String isr, Errors error) {
        var ids = List.of(isr.split(",")).stream().mapToInt(Integer::parseInt).toArray();

        assertRefused(NOW, proposal(leaderEpoch, partitionEpoch, ids), error);
    }

    @Test
    void nobodyButTheLeaderProposes() {
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> IsrChange.of(NOW, 1, proposal(4, 9, 1, 2, 3), LIVE))
                .satisfies(refused -> assertThat(refused.error()).isEqualTo(Errors.INVALID_REQUEST));
    }

    @Test
    void emptyIsrIsRefused() {
        assertRefused(NOW, proposal(4, 9), Errors.INVALID_REQUEST);
    }

    @Test
    void replicaOfAnotherLifeIsNotTakenInAndOneOfAnUnknownIs() {
        assertRefused(NOW, new Proposal(TOPIC, 5, 4, 9, List.of(new InSync(2, 1), new InSync(1, 1), new InSync(3, 2))),
                Errors.INELIGIBLE_REPLICA);
        assertThat(of(new Proposal(TOPIC, 5, 4, 9, List.of(new InSync(2, 1), new InSync(1, 1), new InSync(3,
                AlterPartition.ANY_EPOCH)))).isr()).containsExactly(2, 1, 3);
    }

    @Test
    void replicaInAFailedDirectoryIsNotTakenInAndOnAnotherPartitionIs() {
        var seven = new PartitionImage(5, List.of(2, 7), List.of(2), List.of(), List.of(), 2, 4, 9);

        assertRefused(seven, proposal(4, 9, 2, 7), Errors.INELIGIBLE_REPLICA);
        var other = new Proposal(TOPIC, 4, 4, 9, proposal(4, 9, 2, 7).isr());
        assertThat(IsrChange.of(seven, 2, other, LIVE).isr()).containsExactly(2, 7);
    }

    @Test
    void leaderThatShutsDownTakesInWhoCanFollowIt() {
        var six = new PartitionImage(5, List.of(6, 1), List.of(6), List.of(), List.of(), 6, 4, 9);

        assertThat(IsrChange.of(six, 6, proposal(4, 9, 6, 1), LIVE).isr()).containsExactly(6, 1);
    }

    private static PartitionImage of(Proposal proposal) {
        return IsrChange.of(NOW, 2, proposal, LIVE);
    }

    private static void assertRefused(PartitionImage now, Proposal proposal, Errors error) {
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> IsrChange.of(now, 2, proposal, LIVE))
                .satisfies(refused -> assertThat(refused.error()).isEqualTo(error));
    }

    private static Proposal proposal(int leaderEpoch, int partitionEpoch, int... isr) {
        var members = Arrays.stream(isr).mapToObj(id -> new InSync(id, AlterPartition.ANY_EPOCH)).toList();
        return new Proposal(TOPIC, 5, leaderEpoch, partitionEpoch, members);
    }
}
