package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// A simulation is worth something only where it finds what is wrong: each of these mistakes is found within a few seeds.
/// [Flaw#TRUNCATES_TO_HIGH_WATERMARK] takes more of them than there is time for here.
class FlawsTest {
    private static final int MOST_SEEDS = 400;

    @ParameterizedTest
    @EnumSource(value = Flaw.class, names = {"NONE", "TRUNCATES_TO_HIGH_WATERMARK"}, mode = Mode.EXCLUDE)
    void aClusterWithAFlawDoesNotGetThrough(Flaw flaw) {
        assertThat(LongStream.range(0, MOST_SEEDS).anyMatch(seed -> shows(flaw, seed))).as(
                "a seed shows %s", flaw).isTrue();
    }

    /// Where a leader alone may acknowledge, it matters most what it believes.
    private static Scenario scenario(Flaw flaw) {
        return flaw == Flaw.AGREES_WITH_FORMER_LEADERS ? Scenario.TWO_REPLICAS : Scenario.THREE_REPLICAS;
    }

    private static boolean shows(Flaw flaw, long seed) {
        try {
            if (flaw.isOfTransactions()) {
                Simulation.transactions(seed, Scenario.TRANSACTIONS.with(flaw));
            } else {
                Simulation.run(seed, scenario(flaw).with(flaw));
            }
            return false;
        } catch (AssertionError violation) {
            if (violation.getCause() instanceof Violation) {
                return true;
            }
            throw violation;
        }
    }
}
