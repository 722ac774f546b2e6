package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A process that writes is killed at random moments, again and again on the same files; after each kill a copy of them is
/// opened, and what was acknowledged is looked for. `-Dkills=5000` for longer.
class KillIT {
    private static final int KILLS = Integer.getInteger("kills", 20);
    private static final int MOST_ACKNOWLEDGED = 600;
    /// After so many kills it begins anew with empty logs: all that was ever acknowledged is compared after each.
    private static final int KILLS_OF_A_LOG = 40;

    @TempDir
    Path root;

    static LongStream seeds() {
        return Seeds.of(1);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatWasAcknowledgedIsThereAfterEveryKill(long seed) throws Exception {
        var random = new Random(seed);
        var run = new Run(root.resolve("0"));
        long acknowledged = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            if (kill > 0 && kill % KILLS_OF_A_LOG == 0) {
                acknowledged += run.acknowledged;
                Disk.FILES.delete(run.files);
                run = new Run(root.resolve(Integer.toString(kill)));
                System.out.printf("kills=%d acknowledged=%d%n", kill, acknowledged);
            }
            run.writeUntilKilled(random);
            run.check("kill " + kill);
        }
        assertThat(acknowledged + run.acknowledged).as("something was written").isGreaterThan(KILLS);
    }

    private static final class Run {
        private final Path files;
        private final Path copy;
        /// Of each log: the number of the batch at each first offset.
        private final List<NavigableMap<Long, Long>> known = List.of(new TreeMap<>(), new TreeMap<>());
        private long nextNumber;
        private long acknowledged;

        Run(Path root) {
            files = root.resolve("files");
            copy = root.resolve("copy");
        }

        void writeUntilKilled(Random random) throws Exception {
            var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            var process = new ProcessBuilder(java, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                    LogUnderLoad.class.getName(), files.toString(), Long.toString(random.nextLong()), Long.toString(
                            nextNumber)).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            int most = 1 + random.nextInt(MOST_ACKNOWLEDGED);
            int seen = 0;
            try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(),
                    StandardCharsets.US_ASCII))) {
                for (var line = out.readLine(); line != null; line = out.readLine()) {
                    acknowledge(line);
                    if (++seen == most) {
                        // By its handle, which leaves the pipe open: what is in it was acknowledged.
                        process.toHandle().destroyForcibly();
                    }
                }
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).as("the process wrote until it was killed").isGreaterThanOrEqualTo(most);
        }

        /// The log's own lines go the same way; they begin with a time.
        private void acknowledge(String line) {
            var fields = line.split(" ", -1);
            if (fields.length == 3 && fields[0].length() == 1) {
                long number = Long.parseLong(fields[2]);
                known.get(Integer.parseInt(fields[0])).put(Long.parseLong(fields[1]), number);
                nextNumber = number + 1;
                acknowledged++;
            }
        }

        void check(String when) throws IOException {
            LogFiles.copy(files, copy);
            try (var threads = new ScheduledThreadPoolExecutor(1);
                    var directory = LogDirectory.open(copy, new Identity(
                            "c", 1), LogUnderLoad.runtime(Background.on(threads)))) {
                assertThat(directory.wasCleanShutdown()).isFalse();
                for (int i = 0; i < LogUnderLoad.LOGS.size(); i++) {
                    var id = LogUnderLoad.LOGS.get(i);
                    var log = directory.openLog(id, new UUID(1, id.topic().length()), LogUnderLoad.config(id));
                    compare(when + " " + id, batches(log), known.get(i), i == 0);
                    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
                }
            }
            LogFiles.delete(copy);
        }

        private void compare(String when, List<Batch> found, NavigableMap<Long, Long> numbers, boolean all) {
            long last = -1;
            for (var batch : found) {
                assertThat(batch.hasValidCrc()).as(when).isTrue();
                assertThat(batch.baseOffset()).as(when).isGreaterThan(last);
                last = batch.lastOffset();
                var first = MemoryRecords.readableRecords(batch.bytes()).records().iterator();
                if (first.hasNext()) {
                    long number = number(first.next().value());
                    // One that was written and not acknowledged may be there or not; from now on it is.
                    assertThat(numbers.computeIfAbsent(batch.baseOffset(), _ -> number)).as(when).isEqualTo(number);
                    nextNumber = Math.max(nextNumber, number + 1);
                }
            }
            assertThat(last).as("%s: the last acknowledged offset", when).isGreaterThanOrEqualTo(numbers.isEmpty()
                    ? -1
                    : numbers.lastKey() + LogUnderLoad.RECORDS - 1);
            if (all) {
                assertThat(found.stream().map(Batch::baseOffset).toList()).as(when).containsAll(numbers.keySet());
            } else {
                assertThat(newest(found)).as(when).isEqualTo(expected(numbers));
            }
        }

        private static Map<String, Long> newest(List<Batch> found) {
            var newest = new TreeMap<String, Long>();
            for (var batch : found) {
                for (var record : MemoryRecords.readableRecords(batch.bytes()).records()) {
                    newest.put(StandardCharsets.US_ASCII.decode(record.key().duplicate()).toString(), number(record
                            .value()));
                }
            }
            return newest;
        }

        private static Map<String, Long> expected(Map<Long, Long> numbers) {
            var newest = new TreeMap<String, Long>();
            for (long number : numbers.values()) {
                for (int i = 0; i < LogUnderLoad.RECORDS; i++) {
                    newest.put(LogUnderLoad.key(number, i), number);
                }
            }
            return newest;
        }

        private static long number(ByteBuffer value) {
            var text = StandardCharsets.US_ASCII.decode(value.duplicate()).toString();
            return Long.parseLong(text, 0, text.indexOf(':'), 10);
        }

        private static List<Batch> batches(PartitionLog log) throws IOException {
            var found = new ArrayList<Batch>();
            long next = log.logStartOffset();
            while (true) {
                var slice = log.read(next, 100_000, true, Long.MAX_VALUE).slice();
                if (slice == null) {
                    return found;
                }
                try (slice) {
                    var bytes = ByteBuffer.allocate(slice.size());
                    while (bytes.hasRemaining() && slice.channel().read(bytes, slice.position() + bytes
                            .position()) >= 0) {
                        // as far as it goes
                    }
                    found.addAll(Batches.in(bytes.flip()));
                }
                next = found.getLast().lastOffset() + 1;
            }
        }
    }

    /// Directories as a whole.
    private static final class LogFiles {
        private LogFiles() {}

        static void copy(Path from, Path to) throws IOException {
            try (var all = Files.walk(from)) {
                for (var one : all.toList()) {
                    var target = to.resolve(from.relativize(one));
                    if (Files.isDirectory(one)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(one, target);
                    }
                }
            }
        }

        static void delete(Path directory) throws IOException {
            Disk.FILES.delete(directory);
        }
    }
}
