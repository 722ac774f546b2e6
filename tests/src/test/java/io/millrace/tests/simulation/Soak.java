package io.millrace.tests.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/// Simulations for as long as one likes, one on each processor, each with a seed of its own:
/// `java -cp ... io.millrace.tests.simulation.Soak HOURS [FIRST_SEED [SCENARIO]]`. It ends with 1 at the first seed that
/// fails; with 0 hours only the first one is run.
final class Soak {
    private static final long ROUND = 1_000;

    private Soak() {}

    public static void main(String[] arguments) {
        // Before there are threads: whoever asks for a logger while logging begins gets one of another kind.
        LoggedBugs.listen(false).close();
        var duration = Duration.ofSeconds((long) (3_600 * Double.parseDouble(arguments[0])));
        var end = Instant.now().plus(duration);
        long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.currentTimeMillis() * 1_000;
        var scenarios = arguments.length > 2
                ? List.of(Scenario.ALL.get(Integer.parseInt(arguments[2])))
                : Scenario.ALL;
        long round = duration.isZero() ? 1 : ROUND;
        long next = first;
        do {
            LongStream.range(next, next + round).parallel().forEach(seed -> live(seed, scenarios));
            next += round;
            System.out.printf("%s seeds=%d from=%d, none failed%n", Instant.now(), next - first, first);
        } while (Instant.now().isBefore(end));
    }

    private static void live(long seed, List<Scenario> scenarios) {
        try {
            scenarios.forEach(scenario -> Simulation.run(seed, scenario));
        } catch (AssertionError failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }
}
