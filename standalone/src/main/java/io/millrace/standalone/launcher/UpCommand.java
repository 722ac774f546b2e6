package io.millrace.standalone.launcher;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.process.DataFolder;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Pause;
import io.millrace.standalone.process.Processes;

/// `up`: starts a cluster, says when it is ready, and stays until Ctrl-C or `down` unless it is detached.
final class UpCommand {

    private static final Duration WATCH = Duration.ofMillis(500);

    private final Command.Up up;
    private final Distribution distribution;
    private final PrintStream out;
    private final PrintStream err;
    /// Whether the end of this process, by Ctrl-C for one, is to end the cluster as well.
    private final AtomicBoolean ours = new AtomicBoolean();

    UpCommand(Command.Up up, Distribution distribution, PrintStream out, PrintStream err) {
        this.up = up;
        this.distribution = distribution;
        this.out = out;
        this.err = err;
    }

    int run() {
        DataFolder folder = DataFolder.create(up.data());
        ClusterPlan plan = up.plan();
        new StartUpCache(distribution, out).prepare();
        out.println("Starting Millrace (" + plan.mode().label() + ", data in " + folder.root() + ") …");
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> onExit(folder)));
        long began = System.nanoTime();
        start(folder, plan);
        announce(plan, Duration.ofNanos(System.nanoTime() - began));
        if (up.detach()) {
            ours.set(false);
            return 0;
        }
        return watch(folder, plan);
    }

    private void start(DataFolder folder, ClusterPlan plan) {
        var start = new ClusterStart(folder, distribution);
        boolean hadPlan = folder.plan().isPresent() && !new Processes(folder).running().isEmpty();
        try {
            ours.set(!hadPlan);
            start.start(plan);
            start.awaitReady(plan);
        } catch (Failed e) {
            if (ours.getAndSet(false)) {
                new ClusterStop(folder, err).stop();
            }
            throw e;
        }
    }

    private void announce(ClusterPlan plan, Duration took) {
        String broker = plan.bootstrap();
        out.printf("""

                Millrace is ready after %.1f s.
                  Kafka bootstrap  %s
                  Admin API        %s/v3/clusters
                  Swagger UI       %s/swagger-ui
                  ZooKeeper        %s
                  Try it           echo hello | kcat -P -b %s -t greetings && kcat -C -b %s -t greetings -e
                """, took.toMillis() / 1000.0, broker, plan.admin(), plan.admin(), plan.zookeeper(), broker, broker);
        out.println(up.detach() ? "  End it           bin/millrace down" + dataOption() : "Ctrl-C ends it.");
    }

    private String dataOption() {
        return up.data().equals(Launcher.defaultData()) ? "" : " --data " + up.data();
    }

    /// Tells of processes that end, until all have.
    private int watch(DataFolder folder, ClusterPlan plan) {
        var processes = new Processes(folder);
        Set<String> known = new HashSet<>(plan.processes());
        while (true) {
            List<String> alive = processes.running().stream().map(it -> it.name()).toList();
            boolean down = folder.plan().isEmpty();
            for (String name : List.copyOf(known)) {
                if (!alive.contains(name) && !down) {
                    err.println("millrace: " + name + " has ended; log: " + folder.log(name));
                }
            }
            known = new HashSet<>(alive);
            if (alive.isEmpty()) {
                ours.set(false);
                folder.forgetPlan();
                return down ? 0 : 1;
            }
            Pause.of(WATCH);
        }
    }

    /// Ends with 0 after Ctrl-C: a cluster that was asked to end and has ended is no failure.
    private void onExit(DataFolder folder) {
        if (!ours.getAndSet(false)) {
            return;
        }
        out.println("\nStopping …");
        try {
            new ClusterStop(folder, err).stop();
            out.println("Stopped; the data stay in " + folder.root());
            out.flush();
            Runtime.getRuntime().halt(0);
        } catch (Failed e) {
            err.println("millrace: " + e.getMessage());
        }
    }
}
