package io.millrace.tests.simulation;

import java.util.Set;
import java.util.stream.Collectors;

/// Runs one seed, and says how to run it again where it fails.
final class Simulation {
    private Simulation() {}

    /// What became of one.
    ///
    /// @param fingerprint of all that happened
    /// @param happened what of all that it is meant to try came about
    record Lived(long fingerprint, Set<String> happened) {}

    static Lived run(long seed, Scenario scenario) {
        return live(seed, (trace, bugs) -> {
            var cluster = new SimulatedCluster(seed, scenario, trace, bugs);
            cluster.run();
            return cluster.summary();
        });
    }

    /// The same of a cluster with transactions.
    static Lived transactions(long seed, Scenario scenario) {
        return live(seed, (trace, bugs) -> {
            var cluster = new TransactionalCluster(seed, scenario, trace, bugs);
            cluster.run();
            return cluster.summary();
        });
    }

    private interface Life {
        String live(Trace trace, LoggedBugs bugs);
    }

    private static Lived live(long seed, Life life) {
        boolean shown = Long.getLong("seed") != null;
        var trace = new Trace(shown);
        try (var bugs = LoggedBugs.listen(shown)) {
            trace.say("%s", life.live(trace, bugs));
        } catch (RuntimeException | Error failure) {
            throw new AssertionError("-Dseed=%d: %s%n%s".formatted(seed, failure.getMessage(), trace.last().stream()
                    .collect(Collectors.joining(System.lineSeparator()))), failure);
        }
        return new Lived(trace.fingerprint(), trace.happened());
    }
}
