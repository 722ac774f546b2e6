package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.CappedDisk;
import io.millrace.log.disk.SimulatedDisk;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// With group commit, the power goes at random moments, again and again: what counted as committed is there, byte for byte,
/// whatever the disk kept of the rest. `-Dseeds=2000` for longer.
class PowerLossPropertyTest {
    private static final Path ROOT = Path.of("/disk");
    private static final PartitionId ID = new PartitionId("t", 0);
    private static final UUID TOPIC = new UUID(1, 2);
    private static final int LIVES = 6;

    static LongStream seeds() {
        return Seeds.of(60);
    }

    /// @param base its offset
    private record Written(long base, long end, ByteBuffer bytes) {}

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatWasCommittedIsThereAfterEveryLossOfPower(long seed) throws IOException {
        var random = new Random(seed);
        var fixture = new LogFixture(ROOT).set("segment.bytes", 900);
        var machine = new SimulatedDisk(fixture.loop.clock());
        machine.createDirectories(ROOT);
        machine.syncDirectory(Path.of("/"));
        fixture.groupCommit = true;
        List<Written> committed = new ArrayList<>();
        for (int life = 0; life < LIVES; life++) {
            fixture.disk = new CappedDisk(machine, 1 + random.nextInt(3), random.nextInt(4));
            var directory = LogDirectory.open(ROOT, new Identity("c", 1), fixture.runtime());
            fixture.log = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            var found = readAll(fixture);
            assertThat(found.size()).as("life %d", life).isGreaterThanOrEqualTo(committed.size());
            assertThat(found.subList(0, committed.size())).as("life %d", life).isEqualTo(committed);
            // What was not committed and is there all the same counts from now on like all that is written here.
            committed = live(fixture, directory, found, random);
            machine.losePower(random);
        }
    }

    /// @return what was committed when the power went
    private static List<Written> live(LogFixture fixture, LogDirectory directory, List<Written> found, Random random)
            throws IOException {
        var all = new ArrayList<>(found);
        int steps = random.nextInt(60);
        for (int step = 0; step < steps; step++) {
            switch (random.nextInt(10)) {
                case 0 -> fixture.log.roll();
                case 1 -> fixture.log.flush();
                case 2 -> directory.writeCheckpoints();
                case 3, 4 -> fixture.loop.runPending();
                default -> {
                    var bytes = TestBatch.batch().records(1 + random.nextInt(3)).valueOf(random.nextInt(200)).bytes();
                    long base = fixture.log.append(bytes, 0, AppendOrigin.CLIENT).baseOffset();
                    all.add(new Written(base, fixture.log.logEndOffset(), bytes));
                }
            }
        }
        long durable = fixture.log.durableEnd();
        return all.stream().filter(batch -> batch.end <= durable).toList();
    }

    private static List<Written> readAll(LogFixture fixture) throws IOException {
        var found = new ArrayList<Written>();
        long next = fixture.log.logStartOffset();
        for (var read = fixture.read(next, 100_000); !read.isEmpty(); read = fixture.read(next, 100_000)) {
            read.forEach(batch -> found.add(new Written(batch.baseOffset(), batch.lastOffset() + 1, batch.bytes())));
            next = read.getLast().lastOffset() + 1;
        }
        return found;
    }
}
