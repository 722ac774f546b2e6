package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import io.millrace.log.LogDirectory.FoundLog;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.SimulatedDisk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The topic id of a new log is on disk before anything else of it is, and costs no fsync of its own.
class NewLogCrashTest {
    private static final Identity IDENTITY = new Identity("cluster", 3);
    private static final PartitionId ID = new PartitionId("orders", 4);
    private static final UUID TOPIC = new UUID(1, 2);
    private static final int SEEDS = 300;

    private final Path root = Path.of("/disk");
    private LogFixture fixture = new LogFixture(root);
    private SimulatedDisk disk = new SimulatedDisk(fixture.loop.clock());

    @BeforeEach
    void fresh() throws IOException {
        fixture = new LogFixture(root);
        disk = new SimulatedDisk(fixture.loop.clock());
        disk.createDirectories(root);
        disk.syncDirectory(Path.of("/"));
        fixture.disk = disk;
    }

    private PartitionLog openWith(int batches) throws IOException {
        var log = LogDirectory.open(root, IDENTITY, fixture.runtime()).openLog(ID, TOPIC, LogConfig.DEFAULTS);
        for (int i = 0; i < batches; i++) {
            log.append(TestBatch.batch().bytes(), 0, AppendOrigin.CLIENT);
        }
        return log;
    }

    private LogDirectory afterLossOfPower(long seed) throws IOException {
        disk.losePower(new Random(seed));
        return LogDirectory.open(root, IDENTITY, fixture.runtime());
    }

    @Test
    void aLogThatLosesItsTopicIdWithThePowerLosesItsRecordsToo() throws IOException {
        var seen = new HashSet<String>();
        for (int seed = 0; seed < SEEDS; seed++) {
            fresh();
            openWith(3);

            var found = afterLossOfPower(seed).find();

            if (found.isEmpty()) {
                seen.add("gone");
            } else if (found.equals(List.of(new FoundLog(ID, TOPIC)))) {
                seen.add("identified");
            } else {
                assertThat(disk.list(root.resolve("orders-4"))).as("seed %d", seed).isEmpty();
                seen.add("empty");
            }
        }
        assertThat(seen).contains("gone", "identified");
    }

    @Test
    void aLogOfWhichAnythingWasSyncedKeepsItsTopicId() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            fresh();
            openWith(3).flush();

            var directory = afterLossOfPower(seed);

            assertThat(directory.find()).as("seed %d", seed).containsExactly(new FoundLog(ID, TOPIC));
            assertThat(directory.openLog(ID, TOPIC, LogConfig.DEFAULTS).logEndOffset()).isEqualTo(3);
        }
    }

    @Test
    void aLogCommittedInAGroupKeepsItsTopicId() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            fresh();
            fixture.groupCommit = true;
            var log = openWith(3);
            fixture.loop.runPending();
            assertThat(log.durableEnd()).isEqualTo(3);

            var directory = afterLossOfPower(seed);

            assertThat(directory.find()).as("seed %d", seed).containsExactly(new FoundLog(ID, TOPIC));
        }
    }

    @Test
    void aKilledProcessLosesNothingOfANewLog() throws IOException {
        openWith(3);

        disk.processEnded();

        assertThat(LogDirectory.open(root, IDENTITY, fixture.runtime()).find()).containsExactly(new FoundLog(ID,
                TOPIC));
    }
}
