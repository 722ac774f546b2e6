package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clusters that live through random faults, each as its seed says. `-Dseed=N` replays one and prints what happens.
class SimulationTest {
    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nothingIsLostWithOneReplica(long seed) {
        Simulation.run(seed, Scenario.ONE_REPLICA);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nothingIsLostWithThreeReplicas(long seed) {
        Simulation.run(seed, Scenario.THREE_REPLICAS);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nothingIsLostWhereOneMachineLosesItsPower(long seed) {
        Simulation.run(seed, Scenario.POWER_LOSS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void oneSeedIsOneHistory(long seed) {
        assertThat(Simulation.run(seed, Scenario.THREE_REPLICAS)).isEqualTo(Simulation.run(seed,
                Scenario.THREE_REPLICAS));
    }

    static LongStream seeds() {
        return Seeds.of(20);
    }
}
