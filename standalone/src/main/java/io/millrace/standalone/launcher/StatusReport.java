package io.millrace.standalone.launcher;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

import io.millrace.standalone.launcher.ClusterStatus.ServiceStatus;
import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.process.DataFolder;
import io.millrace.standalone.process.ProcessRecord;
import io.millrace.standalone.process.ProcessState;
import io.millrace.standalone.process.Processes;
import io.millrace.standalone.ready.NotReady;
import io.millrace.standalone.ready.Readiness;
import tools.jackson.databind.json.JsonMapper;

/// Looks at every instance of a running cluster and tells what it saw.
final class StatusReport {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DataFolder folder;
    private final Processes processes;
    private final Readiness readiness = new Readiness(PATIENCE);

    StatusReport(DataFolder folder) {
        this.folder = folder;
        this.processes = new Processes(folder);
    }

    ClusterStatus look(ClusterPlan plan) {
        return new ClusterStatus(plan.bootstrap(), plan.admin(), plan.zookeeper(), plan.mode().label(),
                folder.root().toString(), plan.instances().stream().map(it -> look(plan, it)).toList());
    }

    private ServiceStatus look(ClusterPlan plan, Instance instance) {
        Optional<ProcessRecord> process = processes.running(plan.processOf(instance));
        String kafka = instance.speaksKafka() ? ClusterPlan.HOST + ":" + instance.port() : null;
        String http = instance.httpPort() == null ? null : "http://" + ClusterPlan.HOST + ":" + instance.httpPort();
        return new ServiceStatus(instance.role().label(), instance.id(), process.map(ProcessRecord::pid).orElse(null),
                kafka, http, state(instance, process.map(processes::state).orElse(ProcessState.GONE)));
    }

    private String state(Instance instance, ProcessState process) {
        return switch (process) {
            case GONE -> "down";
            case STOPPED -> "stopped";
            case RUNNING -> {
                try {
                    readiness.check(instance);
                    yield "ready";
                } catch (NotReady e) {
                    yield "unready";
                }
            }
        };
    }

    static void json(ClusterStatus status, PrintStream out) {
        out.println(JsonMapper.builder().build().writeValueAsString(status));
    }

    static void text(ClusterStatus status, PrintStream out) {
        out.printf("bootstrap  %s%nadmin      %s%nzookeeper  %s%ndata       %s%n%n", status.bootstrap(), status.admin(),
                status.zookeeper(), status.data());
        out.printf("%-12s %5s %8s %-8s %-21s %s%n", "ROLE", "ID", "PID", "STATE", "KAFKA", "HTTP");
        for (ServiceStatus it : status.services()) {
            out.printf("%-12s %5d %8s %-8s %-21s %s%n", it.role(), it.id(), it.pid() == null ? "-" : it.pid(),
                    it.state(), it.kafka() == null ? "-" : it.kafka(), it.http() == null ? "-" : it.http());
        }
    }
}
