package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.network.Network;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A broker whose only log directory is full.
@ResourceLock(Network.RESOURCE)
class LostStorageIT {
    private static final String NAME = "lost-storage";
    private static final String TOPIC = "full";
    private static final String CLEAN_MARK = ".kafka_cleanshutdown";
    private static final int MOST_BATCHES = 100;

    @Test
    void endsAsFailedWithoutAMarkOfACleanStop() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: a disk in memory needs root");
        try (var disk = new SmallDisk(NetworkCluster.folder(NAME).resolveSibling(NAME + "-disk"));
                var cluster = new NetworkCluster(NAME, 1, 1, Map.of("broker-0:kafka.log.dirs", disk.folder()
                        .toString()))) {
            var kafka = new Kafka(cluster.bootstrap());
            kafka.create(TOPIC, 1);
            fill(kafka);
            assertThat(cluster.exitCode("broker", 0)).isOne();
            assertThat(mark(disk)).doesNotExist();
        }
    }

    private static Path mark(SmallDisk disk) {
        return disk.folder().resolve(CLEAN_MARK);
    }

    private static void fill(Kafka kafka) {
        for (int i = 0; i < MOST_BATCHES; i++) {
            var next = List.of(Message.of("k" + i, Integer.toString(i % 10).repeat(500_000)));
            if (catchThrowable(() -> kafka.produce(TOPIC, Map.of("delivery.timeout.ms", 5_000, "request.timeout.ms",
                    4_000, "linger.ms", 0, "max.block.ms", 5_000), next)) != null) {
                return;
            }
        }
        throw new AssertionError("the disk has taken more than it has room for");
    }
}
