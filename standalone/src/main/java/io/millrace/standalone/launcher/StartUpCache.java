package io.millrace.standalone.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;

import io.millrace.standalone.process.Failed;

/// The JVM's start-up (AOT) cache of a distribution. It is made once after each build, by a [TrainingRun] on a folder that is
/// thrown away. Nothing depends on it but the time that a start takes and the processor time of the first minutes: where it
/// cannot be made, that is said once and everything goes on without.
final class StartUpCache {

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
        Files.deleteIfExists(distribution.home().resolve("millrace.aot.log"));
        // Not among temporary files, which may be in memory: it grows to some hundreds of megabytes.
        Path folder = Files.createTempDirectory(distribution.home(), "training");
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
        try (var run = new TrainingRun(distribution, folder, log)) {
            if (!run.write(part)) {
                out.println("The start-up cache was made under a part of the load only; log: " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed("interrupted");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
