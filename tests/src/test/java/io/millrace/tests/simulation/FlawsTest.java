package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// A simulation is worth something only where it finds what is wrong: each of these mistakes is found within a few seeds.
class FlawsTest {
    private static final int MOST_SEEDS = 100;

    @ParameterizedTest
    @EnumSource(value = Flaw.class, names = "NONE", mode = Mode.EXCLUDE)
    void aClusterWithAFlawDoesNotGetThrough(Flaw flaw) {
        assertThat(firstSeedThatFails(flaw)).as("the first seed that shows %s", flaw).isBetween(0, MOST_SEEDS);
    }

    /// @return -1 where none does
    private static int firstSeedThatFails(Flaw flaw) {
        for (int seed = 0; seed < MOST_SEEDS; seed++) {
            try {
                Simulation.run(seed, Scenario.THREE_REPLICAS.with(flaw));
            } catch (AssertionError violation) {
                if (violation.getCause() instanceof Violation) {
                    return seed;
                }
                throw violation;
            }
        }
        return -1;
    }
}
