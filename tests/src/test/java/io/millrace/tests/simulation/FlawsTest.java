package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// A simulation is worth something only where it finds what is wrong: each of these mistakes is found within a few seeds.
class FlawsTest {
    private static final int MOST_SEEDS = 400;

    @ParameterizedTest
    @EnumSource(value = Flaw.class, names = "NONE", mode = Mode.EXCLUDE)
    void aClusterWithAFlawDoesNotGetThrough(Flaw flaw) {
        assertThat(LongStream.range(0, MOST_SEEDS).anyMatch(seed -> shows(flaw, seed))).as(
                "a seed shows %s", flaw).isTrue();
    }

    private static Scenario scenario(Flaw flaw) {
        return switch (flaw) {
            // Where a leader alone may acknowledge, it matters most what it believes.
            case AGREES_WITH_FORMER_LEADERS -> Scenario.TWO_REPLICAS;
            // What was cut is fetched again at once, unless that leader goes too.
            case TRUNCATES_TO_HIGH_WATERMARK -> Scenario.SUCCESSION;
            default -> flaw.isOfTransactions() ? Scenario.TRANSACTIONS : Scenario.THREE_REPLICAS;
        };
    }

    private static boolean shows(Flaw flaw, long seed) {
        try {
            if (flaw.isOfTransactions()) {
                Simulation.transactions(seed, scenario(flaw).with(flaw));
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
