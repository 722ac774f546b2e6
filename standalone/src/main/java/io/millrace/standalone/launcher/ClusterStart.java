package io.millrace.standalone.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.DataFolder;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Pause;
import io.millrace.standalone.process.ProcessRecord;
import io.millrace.standalone.process.Processes;
import io.millrace.standalone.ready.NotReady;
import io.millrace.standalone.ready.Readiness;

/// Starts the processes of a plan and waits until they serve.
final class ClusterStart {

    private static final Duration CLUSTER_LIMIT = Duration.ofMinutes(3);
    private static final Duration INSTANCE_LIMIT = Duration.ofSeconds(90);
    private static final Duration QUESTION_LIMIT = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(150);

    private final DataFolder folder;
    private final Processes processes;
    private final ServiceProcess command;
    private final Readiness readiness = new Readiness(QUESTION_LIMIT);
    /// Where in its log each process began.
    private final Map<String, Long> logStarts = new HashMap<>();

    ClusterStart(DataFolder folder, Distribution distribution) {
        this.folder = folder;
        this.processes = new Processes(folder);
        this.command = ServiceProcess.ofEnvironment(distribution);
    }

    /// Starts every process. Services look for ZooKeeper as soon as they run, so it goes first; coordinators come after the
    /// brokers.
    ///
    /// @throws Failed if the folder has a running cluster or a port is taken, before anything is started; or if ZooKeeper
    /// or a broker does not come up
    void start(ClusterPlan plan) {
        try (var _ = folder.lock()) {
            List<ProcessRecord> running = processes.running();
            if (!running.isEmpty()) {
                throw new Failed("a cluster runs on " + folder.root() + " already (" + running.getFirst().name()
                        + ", pid "
                        + running.getFirst().pid() + "); end it with bin/millrace down");
            }
            PortCheck.require(plan);
            folder.remember(plan);
            Instance zookeeper = plan.instances(Role.ZOOKEEPER).getFirst();
            start(plan, zookeeper);
            if (plan.processes().size() > 1) {
                awaitReady(plan, zookeeper);
                startServices(plan);
            }
        } catch (Failed e) {
            throw e;
        } catch (Exception e) {
            throw new Failed("cannot release the lock on " + folder.root() + ": " + e);
        }
    }

    /// The first coordinator has the group topic made, on the brokers that are there by then: all of them, so that no broker
    /// holds more of it than the others.
    private void startServices(ClusterPlan plan) {
        plan.instances(Role.CONTROLLER).forEach(it -> start(plan, it));
        plan.instances(Role.BROKER).forEach(it -> start(plan, it));
        plan.instances(Role.BROKER).forEach(it -> awaitReady(plan, it));
        plan.instances(Role.COORDINATOR).forEach(it -> start(plan, it));
        plan.instances(Role.ADMIN).forEach(it -> start(plan, it));
    }

    /// Starts one process again that has ended.
    ///
    /// @throws Failed if it runs, or one of its ports is taken
    void startAgain(ClusterPlan plan, Instance instance) {
        try (var _ = folder.lock()) {
            processes.running(plan.processOf(instance)).ifPresent(it -> {
                throw new Failed(it.name() + " runs already, pid " + it.pid());
            });
            plan.instances().stream().filter(it -> plan.processOf(it).equals(plan.processOf(instance)))
                    .forEach(PortCheck::require);
            start(plan, instance);
        } catch (Failed e) {
            throw e;
        } catch (Exception e) {
            throw new Failed("cannot release the lock on " + folder.root() + ": " + e);
        }
    }

    private void start(ClusterPlan plan, Instance instance) {
        String name = plan.processOf(instance);
        logStarts.put(name, size(folder.log(name)));
        processes.start(name, command.command(plan, instance, folder.root()));
    }

    private static long size(Path log) {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /// Returns once clients would be served at once.
    ///
    /// @throws Failed if a process ends, or the time is over
    void awaitReady(ClusterPlan plan) {
        await(plan, CLUSTER_LIMIT, () -> readiness.check(plan));
    }

    /// Returns once the instance calls itself ready.
    ///
    /// @throws Failed if its process ends, or the time is over
    void awaitReady(ClusterPlan plan, Instance instance) {
        await(plan, INSTANCE_LIMIT, () -> readiness.check(instance));
    }

    private interface Check {
        void run() throws NotReady;
    }

    private void await(ClusterPlan plan, Duration limit, Check check) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            requireAlive();
            try {
                check.run();
                return;
            } catch (NotReady e) {
                if (System.nanoTime() >= end) {
                    throw new Failed("not ready within " + limit.toSeconds() + " s: " + e.getMessage() + "; logs: "
                            + logs(plan));
                }
                Pause.of(LOOK_AGAIN);
            }
        }
    }

    private void requireAlive() {
        for (var started : logStarts.entrySet()) {
            String name = started.getKey();
            if (processes.running(name).isEmpty()) {
                Path log = folder.log(name);
                throw new Failed(name + " has ended: " + LogTail.reason(log, started.getValue()) + "; log: " + log);
            }
        }
    }

    private String logs(ClusterPlan plan) {
        return String.join(", ", plan.processes().stream().map(it -> folder.log(it).toString()).toList());
    }
}
