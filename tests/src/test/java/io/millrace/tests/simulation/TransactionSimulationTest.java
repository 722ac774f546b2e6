package io.millrace.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.tests.simulation.Simulation.Lived;
import org.junit.jupiter.api.Test;

/// Transactions that live through random faults, and through the death of a coordinator between every two steps of their
/// ends. `-Dseed=N` replays one and prints what happens, `-Dseeds=N` runs that many.
class TransactionSimulationTest {
    private static final int SEEDS = TransactionalCluster.STEPS_OF_AN_END;

    @Test
    void everyTransactionIsWholeAndOnce() throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var runs = Seeds.of(SEEDS).mapToObj(seed -> threads.submit(() -> Simulation.transactions(seed,
                    Scenario.TRANSACTIONS))).toList();
            var lived = new ArrayList<Lived>();
            try {
                for (var run : runs) {
                    lived.add(run.get());
                }
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw new AssertionError(failed.getCause());
            }
            var happened = new TreeSet<String>();
            lived.forEach(it -> happened.addAll(it.happened()));
            if (lived.size() >= SEEDS) {
                assertThat(happened).contains("COMMITTED", "ABORTED", "UNKNOWN").containsAll(IntStream.range(0,
                        TransactionalCluster.STEPS_OF_AN_END).mapToObj(TransactionalCluster::killedAfter).toList());
            }
        }
    }

    @Test
    void oneSeedIsOneHistory() {
        assertThat(Simulation.transactions(1, Scenario.TRANSACTIONS)).isEqualTo(Simulation.transactions(1,
                Scenario.TRANSACTIONS));
    }
}
