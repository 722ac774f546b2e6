package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.broker.partition.ReplicaRole.Offline;
import org.junit.jupiter.api.Test;

class ReplicaRoleTest {
    private static final int SELF = 1;

    @Test
    void replicaNamedAsLeaderLeads() {
        assertThat(told(ReplicaRole.untold(), 0, 0, SELF)).isEqualTo(new Leader(0, 0, List.of(SELF)));
    }

    @Test
    void replicaFollowsWhoeverElseLeads() {
        assertThat(told(new Leader(3, 3, List.of(SELF)), 4, 4, 2)).isEqualTo(new Follower(4, 4, 2));
    }

    @Test
    void replicaWithoutLeaderFollowsNobody() {
        assertThat(told(new Leader(3, 3, List.of(SELF)), 4, 4, -1)).isEqualTo(new Follower(4, 4, -1));
    }

    @Test
    void olderLeaderEpochChangesNothing() {
        var leader = new Leader(3, 7, List.of(SELF));
        assertThat(told(leader, 2, 9, 2)).isSameAs(leader);
    }

    @Test
    void repeatOfTheSameStateChangesNothing() {
        var leader = new Leader(3, 7, List.of(SELF));
        assertThat(told(leader, 3, 7, SELF)).isSameAs(leader);
    }

    @Test
    void isrChangesWithinOneReign() {
        var leader = new Leader(3, 7, List.of(SELF));
        assertThat(ReplicaRole.next(leader, 3, 8, SELF, List.of(SELF, 2), SELF)).isEqualTo(new Leader(3, 8, List.of(
                SELF, 2)));
    }

    @Test
    void failedReplicaStaysOfflineWhateverItIsTold() {
        var failed = ReplicaRole.failed(new Leader(3, 7, List.of(SELF)));
        assertThat(failed).isEqualTo(new Offline(3, 7));
        assertThat(told(failed, 4, 8, SELF)).isEqualTo(new Offline(4, 8));
    }

    private static ReplicaRole told(ReplicaRole now, int leaderEpoch, int partitionEpoch, int leader) {
        return ReplicaRole.next(now, leaderEpoch, partitionEpoch, leader, List.of(SELF), SELF);
    }
}
