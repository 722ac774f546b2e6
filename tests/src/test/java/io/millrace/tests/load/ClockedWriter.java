package io.millrace.tests.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Transaction;
import io.millrace.tests.program.Home;

/// A [TransactionalWriter] in a process whose wall clock jumps, again and again: forward by up to hours, so that all that it waits
/// for is late at once, and backward by seconds, as a clock does that is set right. libfaketime is between the process and its
/// clock.
final class ClockedWriter implements TransactionClient {
    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    private static final long LONGEST_PAUSE_MILLIS = 6_000;
    private static final long FARTHEST_SECONDS = Duration.ofHours(6).toSeconds();
    private static final long FARTHEST_BACK_SECONDS = 8;

    private final String name;
    private final Random random;
    private final Path clock;
    private final Process process;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hands;
    private final Thread reader;
    private final List<Transaction> transactions = new ArrayList<>();
    private final Map<String, Integer> failures = new TreeMap<>();

    ClockedWriter(Kafka kafka, String topic, int partitions, String name, long seed) {
        this.name = name;
        random = new Random(seed);
        try {
            clock = Files.createTempFile(Home.tests("target"), "clock", "");
            set(0);
            var builder = new ProcessBuilder(Home.java(), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    WriterProgram.class.getName(), kafka.bootstrap(), topic, String.valueOf(partitions), name, String
                            .valueOf(seed));
            builder.environment().putAll(Map.of("LD_PRELOAD", LIBRARY.toString(), "FAKETIME_TIMESTAMP_FILE", clock
                    .toString(), "FAKETIME_CACHE_DURATION", "1", "FAKETIME_DONT_FAKE_MONOTONIC", "1"));
            process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader = Thread.ofPlatform().name(name).start(this::read);
        hands = Thread.ofPlatform().name(name + "-clock").start(this::jump);
    }

    /// Whether a clock can be made to jump on this machine.
    static boolean isPossible() {
        return Files.exists(LIBRARY);
    }

    private void set(long seconds) throws IOException {
        var next = clock.resolveSibling(clock.getFileName() + ".next");
        Files.writeString(next, "%+d".formatted(seconds));
        Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE);
    }

    private void jump() {
        long ahead = 0;
        try {
            while (!ended.await(1_000 + random.nextLong(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
                ahead += random.nextBoolean()
                        ? random.nextLong(FARTHEST_SECONDS)
                        : -random.nextLong(
                                FARTHEST_BACK_SECONDS);
                set(ahead);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void take(String line) {
        TransactionLine.parse(name, line).ifPresent(transactions::add);
        if (line.startsWith(WriterProgram.FAILURE)) {
            var words = line.substring(WriterProgram.FAILURE.length()).split(" ", 2);
            failures.put(words[1], Integer.parseInt(words[0]));
        }
    }

    @Override
    public synchronized List<Transaction> transactions() {
        return List.copyOf(transactions);
    }

    @Override
    public synchronized Map<String, Integer> failures() {
        return Map.copyOf(failures);
    }

    /// Waits for what the process has to tell in the end.
    @Override
    public void close() {
        ended.countDown();
        Ends.join(hands);
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().close();
        } catch (IOException _) {
            // It was closed before, or has ended by itself.
        }
        if (!Ends.await(process)) {
            process.destroyForcibly();
            throw new AssertionError(name + " does not end");
        }
        Ends.join(reader);
        try {
            Files.deleteIfExists(clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
