package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

import io.millrace.base.simulation.Seeds;
import io.millrace.tests.simulation.Simulation.Lived;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clusters that live through random faults, each as its seed says, one on each processor. `-Dseed=N` replays one and
/// prints what happens, `-Dseeds=N` runs that many in each scenario.
class SimulationTest {
    private static final int SEEDS = 200;
    /// Few seeds have all of it.
    private static final int ENOUGH_FOR_EVERYTHING = 50;

    @Test
    void nothingIsLostWithOneReplica() throws InterruptedException {
        live(Scenario.ONE_REPLICA);
    }

    @Test
    void nothingIsLostWithTwoReplicasThatMove() throws InterruptedException {
        var lived = live(Scenario.TWO_REPLICAS);
        if (lived.size() >= ENOUGH_FOR_EVERYTHING) {
            var happened = new TreeSet<String>();
            lived.forEach(it -> happened.addAll(it.happened()));
            assertThat(happened).isEqualTo(Set.of("controlled shutdown", "move", "cancel", "election", "configuration",
                    "deletion", "deletion of records"));
        }
    }

    @Test
    void nothingIsLostWithThreeReplicas() throws InterruptedException {
        live(Scenario.THREE_REPLICAS);
    }

    @Test
    void nothingIsLostWhereLeadersAreReplacedInQuickSuccession() throws InterruptedException {
        live(Scenario.SUCCESSION);
    }

    @Test
    void nothingIsLostWhereOneMachineLosesItsPower() throws InterruptedException {
        live(Scenario.POWER_LOSS);
    }

    /// Long runs found something in these.
    @ParameterizedTest
    @MethodSource("eventful")
    void nothingIsLostWhereSomethingOnceWas(long seed, Scenario scenario) {
        Simulation.run(seed, scenario);
    }

    private static List<Arguments> eventful() {
        return List.of(Arguments.of(8004360, Scenario.POWER_LOSS), Arguments.of(9000211, Scenario.TWO_REPLICAS),
                Arguments.of(
                        9000218, Scenario.TWO_REPLICAS));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void oneSeedIsOneHistory(long seed) {
        assertThat(Simulation.run(seed, Scenario.TWO_REPLICAS)).isEqualTo(Simulation.run(seed, Scenario.TWO_REPLICAS));
    }

    /// The first seed that fails ends it.
    private static List<Lived> live(Scenario scenario) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var runs = Seeds.of(SEEDS).mapToObj(seed -> threads.submit(() -> Simulation.run(seed, scenario))).toList();
            var lived = new ArrayList<Lived>();
            try {
                for (var run : runs) {
                    lived.add(run.get());
                }
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw new AssertionError(failed.getCause());
            }
            return lived;
        }
    }
}
