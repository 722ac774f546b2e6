package io.millrace.standalone.launcher;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Ports;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Pause;
import io.millrace.standalone.ready.NotReady;
import io.millrace.standalone.ready.Readiness;
import io.millrace.standalone.training.Workload;

/// A cluster that serves the clients of a [Workload], and of which one process writes down for the next JVMs what it
/// loaded, and how its methods were used: with that a new process compiles at once what matters, instead of some minutes
/// later (JEP 483, 515). That process has all roles; a second broker lets it lead and follow.
final class TrainingRun implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofMinutes(5);
    private static final Duration WORKLOAD_LIMIT = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(3);
    private static final Duration QUESTION_LIMIT = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
    private static final int PORT_TRIES = 50;
    private static final int WORKLOAD_HEAP = 192;
    private static final Map<String, String> SETTINGS = Map.of("kafka.offsets.topic.replication.factor", "2",
            "kafka.transaction.state.log.replication.factor", "2", "kafka.offsets.topic.num.partitions", "4",
            "kafka.transaction.state.log.num.partitions", "4");

    private final Distribution distribution;
    private final Path folder;
    private final File log;
    private final ClusterPlan plan = planOnFreePorts();
    private final List<Process> processes = new ArrayList<>();

    /// @param folder empty, for the data
    /// @param log what all processes print
    TrainingRun(Distribution distribution, Path folder, Path log) {
        this.distribution = distribution;
        this.folder = folder;
        this.log = log.toFile();
    }

    /// Returns when the file is written.
    ///
    /// @return whether every part of the workload went well; the file is of use in any case
    /// @throws Failed where there is no file
    boolean write(Path file) throws IOException, InterruptedException {
        var service = ServiceProcess.plain(distribution);
        var alone = new ClusterPlan(Mode.STANDALONE, 1, 1, 1, plan.portBase(), SETTINGS);
        Process trained = start(service.standalone(alone, folder, List.of("-XX:AOTCacheOutput=" + file)));
        Process follower = start(service.command(plan, plan.instances(Role.BROKER).getLast(), folder));
        awaitReady();
        Process workload = start(distribution.java(WORKLOAD_HEAP, List.of("-XX:TieredStopAtLevel=1"), Workload.class,
                List.of(plan.bootstrap())));
        boolean all = ended(workload, WORKLOAD_LIMIT) && workload.exitValue() == 0;
        follower.destroy();
        ended(follower, END_LIMIT);
        trained.destroy();
        if (!ended(trained, WRITE_LIMIT) || !file.toFile().exists()) {
            throw new Failed("the JVM wrote none");
        }
        return all;
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.appendTo(log)).redirectErrorStream(true).start();
        processes.add(process);
        return process;
    }

    private static boolean ended(Process process, Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void awaitReady() {
        var readiness = new Readiness(QUESTION_LIMIT);
        long end = System.nanoTime() + READY_LIMIT.toNanos();
        while (true) {
            try {
                readiness.check(plan);
                return;
            } catch (NotReady e) {
                if (!processes.stream().allMatch(Process::isAlive) || System.nanoTime() > end) {
                    throw new Failed(String.valueOf(e.getMessage()));
                }
                Pause.of(LOOK_AGAIN);
            }
        }
    }

    /// Below the range from which the kernel takes ports for outgoing connections.
    private static ClusterPlan planOnFreePorts() {
        for (int i = 0; i < PORT_TRIES; i++) {
            int base = ThreadLocalRandom.current().nextInt(20_000, 32_000 - Ports.SPAN);
            var plan = new ClusterPlan(Mode.CLUSTER, 1, 2, 1, base, SETTINGS);
            if (PortCheck.free(plan)) {
                return plan;
            }
        }
        throw new Failed("no free ports");
    }

    /// Ends what still runs, and returns when nothing writes to the folder any more.
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(it -> it.onExit().completeOnTimeout(it, END_LIMIT.toSeconds(), TimeUnit.SECONDS).join());
    }
}
