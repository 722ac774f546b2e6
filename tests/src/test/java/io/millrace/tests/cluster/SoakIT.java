package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Report;
import io.millrace.tests.load.Load;
import io.millrace.tests.network.Network;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Random faults for as long as one likes: `-Dmillrace.soak.minutes=N`, and `-Dmillrace.soak.seed=S` to draw the same
/// faults again (what they meet differs from run to run). Every round has a topic of its own, a minute of faults, and the
/// check of all that its clients saw.
@Slf4j
@EnabledIfSystemProperty(named = "millrace.soak.minutes", matches = "\\d+")
class SoakIT {

    private static final int CONTROLLERS = 2;
    private static final int BROKERS = 3;
    private static final Duration ROUND = Duration.ofSeconds(60);
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final int LONGEST_FAULT_MILLIS = 9_000;
    private static final int LONGEST_PEACE_MILLIS = 6_000;

    private final long minutes = Long.getLong("millrace.soak.minutes", 0);
    private final long seed = Long.getLong("millrace.soak.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, String> settings = Map.of("kafka.replica.lag.time.max.ms", "3000");

    @Test
    void nothingIsLostDoubledOrReorderedThroughRandomFaults() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: cutting networks needs root and network namespaces");
        log.info("Soak begins minutes={} seed={}", minutes, seed);
        try (var cluster = new NetworkCluster("soak", CONTROLLERS, BROKERS, settings)) {
            var draw = new FaultDraw(cluster, CONTROLLERS, BROKERS, random);
            long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
            for (int round = 0; round == 0 || System.nanoTime() < end; round++) {
                round(cluster, draw, round);
            }
        }
    }

    private void round(NetworkCluster cluster, FaultDraw draw, int round) {
        var kafka = new Kafka(cluster.bootstrap());
        // The round before may end while a broker is on its way back that no controller has missed yet.
        await().atMost(RECOVERY).untilAsserted(() -> {
            cluster.revive();
            kafka.create(new NewTopic("before-" + round, 1, (short) BROKERS));
        });
        try (var load = Load.start(kafka, "soak-" + round, BROKERS)) {
            load.awaitProgress();
            List<String> faults = faults(draw);
            new Replicas(kafka).awaitAllInSync(cluster::revive);
            load.awaitProgress();
            Report report = load.finish();
            log.info("Soak round={} seed={} {} failures={} faults={}", round, seed, report.text(), load.failures(),
                    faults);
            assertThat(report.violations()).as("seed %s round %s: %s", seed, round, report.text()).isEmpty();
        }
    }

    private List<String> faults(FaultDraw draw) {
        List<String> names = new ArrayList<>();
        long end = System.nanoTime() + ROUND.toNanos();
        while (System.nanoTime() < end) {
            List<Fault> faults = draw.draw();
            log.info("Soak begins {}", faults);
            faults.forEach(it -> it.begin().run());
            pause(LONGEST_FAULT_MILLIS);
            faults.forEach(it -> it.end().run());
            names.add(faults.toString());
            log.info("Soak ended {}", faults);
            pause(LONGEST_PEACE_MILLIS);
        }
        return names;
    }

    /// Not a wait for something: how long a fault lasts is part of what is drawn.
    private void pause(int longestMillis) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(longestMillis)).toNanos());
    }
}
