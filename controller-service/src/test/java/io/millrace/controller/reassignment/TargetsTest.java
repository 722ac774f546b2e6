package io.millrace.controller.reassignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsTest {
    private static final ClusterImage IMAGE = Cluster.ofBrokers(1, 2, 3)
            .with(Cluster.coordinator(1000))
            .with(Cluster.node(Role.BROKER, 4, 1, null, NodeState.FENCED))
            .image();
    private static final PartitionImage NOW = new PartitionImage(0, List.of(1, 9), List.of(1), List.of(), List.of(), 1,
            0, 0);

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''| Empty replica list", "2 2| Duplicate replica ids",
            "2 -1| Invalid broker id",
            "2 1000| is a coordinator",
            "2 8| brokers that are not alive. Replica list: [2, 8], live broker list: [1, 2, 3]"})
    void whatCannotHoldReplicasIsRefused(String target, String text) {
        var ids = target.isEmpty()
                ? List.<Integer>of()
                : List.of(target.split(" ")).stream().map(Integer::valueOf)
                        .toList();

        assertThatThrownBy(() -> Targets.check(ids, NOW, true, IMAGE)).isInstanceOfSatisfying(Refused.class,
                refused -> assertThat(refused.error()).isEqualTo(Errors.INVALID_REPLICA_ASSIGNMENT))
                .hasMessageContaining(text);
    }

    @Test
    void replicaThatIsThereMayBeDownAndOneThatComesMayBeFencedForNow() {
        assertThatCode(() -> Targets.check(List.of(9, 2), NOW, false, IMAGE)).doesNotThrowAnyException();
        assertThatCode(() -> Targets.check(List.of(4, 2), NOW, false, IMAGE)).doesNotThrowAnyException();
    }

    @Test
    void numberOfReplicasChangesOnlyWhereThatIsAllowed() {
        var moving = new PartitionImage(0, List.of(3, 1), List.of(1), List.of(3), List.of(1), 1, 0, 0);

        assertThatThrownBy(() -> Targets.check(List.of(1, 2, 3), NOW, false, IMAGE)).isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.error()).isEqualTo(Errors.INVALID_REPLICATION_FACTOR));
        assertThatCode(() -> Targets.check(List.of(1, 2, 3), NOW, true, IMAGE)).doesNotThrowAnyException();
        // What counts is how many there will be, not the union on the way.
        assertThatCode(() -> Targets.check(List.of(2), moving, false, IMAGE)).doesNotThrowAnyException();
    }
}
