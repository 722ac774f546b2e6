package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;

import io.millrace.base.simulation.Seeds;
import io.millrace.tests.simulation.Simulation.Lived;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clusters that live through random faults, each as its seed says, some at the same time. `-Dseed=N` replays one and
/// prints what happens, `-Dseeds=N` runs that many in each scenario.
class SimulationTest {
    private static final int SEEDS = 600;
    /// Few seeds have all of it.
    private static final int ENOUGH_FOR_EVERYTHING = 100;

    @Test
    void nothingIsLostWithOneReplica() {
        live(Scenario.ONE_REPLICA, _ -> {});
    }

    @Test
    void nothingIsLostWithTwoReplicasThatMove() {
        var happened = new ConcurrentSkipListSet<String>();
        long lived = live(Scenario.TWO_REPLICAS, it -> happened.addAll(it.happened()));
        if (lived >= ENOUGH_FOR_EVERYTHING) {
            assertThat(happened).isEqualTo(Set.of("controlled shutdown", "move", "cancel", "election", "configuration",
                    "deletion", "deletion of records"));
        }
    }

    @Test
    void nothingIsLostWithThreeReplicas() {
        live(Scenario.THREE_REPLICAS, _ -> {});
    }

    @Test
    void nothingIsLostWhereOneMachineLosesItsPower() {
        live(Scenario.POWER_LOSS, _ -> {});
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void oneSeedIsOneHistory(long seed) {
        assertThat(Simulation.run(seed, Scenario.TWO_REPLICAS)).isEqualTo(Simulation.run(seed, Scenario.TWO_REPLICAS));
    }

    /// @return how many did
    private static long live(Scenario scenario, Consumer<Lived> lived) {
        var failure = Seeds.of(SEEDS).parallel().mapToObj(seed -> failure(seed, scenario, lived)).filter(
                it -> it != null).findAny();
        failure.ifPresent(it -> {
            throw it;
        });
        return Seeds.of(SEEDS).count();
    }

    private static @Nullable AssertionError failure(long seed, Scenario scenario, Consumer<Lived> lived) {
        try {
            lived.accept(Simulation.run(seed, scenario));
            return null;
        } catch (AssertionError failure) {
            return failure;
        }
    }
}
