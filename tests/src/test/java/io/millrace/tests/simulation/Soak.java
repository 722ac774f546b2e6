package io.millrace.tests.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Simulations one after the other for as long as one likes, each with a seed of its own:
/// `java -cp ... io.millrace.tests.simulation.Soak HOURS [FIRST_SEED [SCENARIO]]`. It ends with 1 at the first seed that fails.
final class Soak {
    private static final long REPORT_EVERY = 1_000;

    private Soak() {}

    public static void main(String[] arguments) {
        var end = Instant.now().plus(Duration.ofSeconds((long) (3_600 * Double.parseDouble(arguments[0]))));
        long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.currentTimeMillis() * 1_000;
        var scenarios = arguments.length > 2
                ? List.of(Scenario.ALL.get(Integer.parseInt(arguments[2])))
                : Scenario.ALL;
        long seed = first;
        long fingerprint = 0;
        for (; seed == first || Instant.now().isBefore(end); seed++) {
            try {
                for (var scenario : scenarios) {
                    fingerprint = 31 * fingerprint + Simulation.run(seed, scenario);
                }
            } catch (AssertionError failure) {
                failure.printStackTrace();
                System.exit(1);
            }
            if ((seed - first + 1) % REPORT_EVERY == 0) {
                System.out.printf("%s seeds=%d last=%d%n", Instant.now(), seed - first + 1, seed);
            }
        }
        System.out.printf("seeds=%d from=%d, none failed, fingerprint=%x%n", seed - first, first, fingerprint);
    }
}
