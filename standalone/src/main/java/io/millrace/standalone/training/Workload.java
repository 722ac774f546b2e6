package io.millrace.standalone.training;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The load of a training run, in a process of its own: what clients ask for thousands of times a second, and nothing else.
/// Topics that come and go, REST and scrapes were tried too, and made what comes of it half as good (bench/results/0013).
/// Replicas are two, so that a leader has a follower.
///
///     Workload BOOTSTRAP
///
/// Ends with 1, and a line for each part that failed; the others ran to their end all the same.
public final class Workload {

    /// Long enough for the JVM to have compiled for good what matters; what it had only begun with helps the next ones little.
    private static final Duration TIME = Duration.ofSeconds(40);

    private Workload() {}

    /// What one kind of client does, until it is time to end.
    private interface Part {
        void run() throws Exception;
    }

    /// Runs all parts.
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        var records = new Records(arguments[0], System.nanoTime() + TIME.toNanos());
        records.createTopics();
        System.exit(run(Map.of("records", records::write, "transactions", records::transform, "a classic group",
                () -> records.read("classic"), "a group", () -> records.read("consumer"))) ? 0 : 1);
    }

    private static boolean run(Map<String, Part> parts) throws InterruptedException {
        var running = new LinkedHashMap<String, Future<?>>();
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            parts.forEach((name, part) -> running.put(name, threads.submit(() -> {
                part.run();
                return null;
            })));
        }
        boolean all = true;
        for (var part : running.entrySet()) {
            try {
                part.getValue().get();
            } catch (ExecutionException e) {
                System.err.println("Training with " + part.getKey() + " failed: " + e.getCause());
                all = false;
            }
        }
        return all;
    }
}
