package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Coordinators that end and come back while groups commit.
@DisturbsClusters
class GroupHandoverIT {
    private static final Logger LOG = LoggerFactory.getLogger(GroupHandoverIT.class);
    private static final int GROUPS = 12;
    /// Far above what is measured, which the log tells.
    private static final Duration GAP = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final Kafka kafka;

    GroupHandoverIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void aCoordinatorThatEndsOrComesBackKeepsNobodyFromCommitting() {
        kafka.create(new NewTopic("handover", 1, (short) 3));
        var committers = IntStream.range(0, GROUPS).mapToObj(number -> new Committer(kafka, "handover-" + number,
                "handover")).toList();
        try {
            awaitProgress(committers);
            committers.forEach(Committer::longestGap);
            cluster.terminate("coordinator", 1000);
            awaitProgress(committers);
            report("the end of a coordinator", committers);
            cluster.start("coordinator", 1000);
            awaitReturn();
            awaitProgress(committers);
            report("its return", committers);
        } finally {
            committers.forEach(Committer::close);
        }
        assertThat(committers).allSatisfy(committer -> assertThat(committer.committedAtLast()).isEqualTo(committer
                .acknowledged()));
    }

    private static void report(String what, List<Committer> committers) {
        var gaps = committers.stream().map(Committer::longestGap).sorted().toList();
        LOG.info("longest gaps between commits at {}: median={} most={}", what, gaps.get(gaps.size() / 2), gaps
                .getLast());
        assertThat(gaps.getLast()).as(what).isLessThan(GAP);
    }

    private static void awaitProgress(List<Committer> committers) {
        var before = committers.stream().map(Committer::acknowledged).toList();
        await().atMost(Kafka.LIMIT).until(() -> IntStream.range(0, committers.size()).allMatch(i -> committers.get(i)
                .acknowledged() > before.get(i) + 5));
    }

    private void awaitReturn() {
        await().atMost(Kafka.LIMIT).pollInterval(Duration.ofMillis(500)).until(() -> cluster.status().services()
                .stream()
                .filter(it -> it.role().equals("coordinator"))
                .allMatch(it -> it.http() != null && Scrape.get(it.http() + "/actuator/prometheus").lines().anyMatch(
                        line -> line.startsWith("millrace_coordinator_shard_active") && activeShards(line) >= 5)));
    }

    private static double activeShards(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ')));
    }
}
