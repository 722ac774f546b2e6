package io.millrace.standalone.launcher;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Ports;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Pause;
import io.millrace.standalone.ready.NotReady;
import io.millrace.standalone.ready.Readiness;

/// The JVM's start-up (AOT) cache of a distribution. It is made once after each build, by running all roles for a moment
/// on a folder that is thrown away. Nothing depends on it but the time that a start takes: where it cannot be made, that
/// is said once and everything goes on without.
final class StartUpCache {

    private static final Duration READY_LIMIT = Duration.ofMinutes(5);
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(2);
    private static final int PORT_TRIES = 50;

    private final Distribution distribution;
    private final PrintStream out;

    StartUpCache(Distribution distribution, PrintStream out) {
        this.distribution = distribution;
        this.out = out;
    }

    /// Makes the cache where there is none. Two launchers at once make it once.
    void prepare() {
        if (Files.exists(distribution.cache()) || Files.exists(failure())) {
            return;
        }
        try (var lock = FileChannel.open(distribution.home().resolve("millrace.aot.lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            lock.lock();
            if (!Files.exists(distribution.cache()) && !Files.exists(failure())) {
                make();
            }
        } catch (IOException e) {
            out.println("No start-up cache: " + e.getMessage());
        }
    }

    /// Says that it was tried in vain, until the next build.
    private Path failure() {
        return distribution.home().resolve("millrace.aot.failed");
    }

    private void make() throws IOException {
        out.println("Making the start-up cache (once after each build) …");
        Path folder = Files.createTempDirectory("millrace-training");
        Path part = distribution.home().resolve("millrace.aot.part");
        Path log = distribution.home().resolve("millrace.aot.log");
        try {
            train(folder, part, log);
            Files.move(part, distribution.cache(), StandardCopyOption.ATOMIC_MOVE);
        } catch (Failed | IOException e) {
            Files.writeString(failure(), String.valueOf(e.getMessage()));
            out.println("No start-up cache, starts take longer: " + e.getMessage() + "; log: " + log);
        } finally {
            delete(folder);
        }
    }

    private void train(Path folder, Path part, Path log) throws IOException {
        ClusterPlan plan = planOnFreePorts();
        List<String> command = ServiceProcess.plain(distribution).standalone(plan, folder, List.of("-XX:AOTCacheOutput="
                + part));
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectInput(new File("/dev/null"))
                .redirectOutput(log.toFile()).redirectErrorStream(true).start();
        try {
            awaitReady(plan, process);
            // The cache is written as the process ends.
            process.destroy();
            if (!process.waitFor(WRITE_LIMIT.toSeconds(), TimeUnit.SECONDS) || !Files.exists(part)) {
                throw new Failed("the JVM wrote none");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed("interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitReady(ClusterPlan plan, Process process) {
        var readiness = new Readiness(Duration.ofSeconds(5));
        long end = System.nanoTime() + READY_LIMIT.toNanos();
        while (true) {
            try {
                readiness.check(plan);
                return;
            } catch (NotReady e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new Failed(String.valueOf(e.getMessage()));
                }
                Pause.of(Duration.ofMillis(250));
            }
        }
    }

    /// Below the range from which the kernel takes ports for outgoing connections.
    private static ClusterPlan planOnFreePorts() {
        for (int i = 0; i < PORT_TRIES; i++) {
            int base = ThreadLocalRandom.current().nextInt(20_000, 32_000 - Ports.SPAN);
            var plan = new ClusterPlan(Mode.STANDALONE, 1, 1, 1, base, Map.of());
            if (PortCheck.free(plan)) {
                return plan;
            }
        }
        throw new Failed("no free ports");
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
