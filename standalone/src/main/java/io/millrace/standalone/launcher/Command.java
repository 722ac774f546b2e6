package io.millrace.standalone.launcher;

import java.nio.file.Path;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.Signal;

/// What was asked for on the command line.
sealed interface Command {

    /// Start a cluster.
    ///
    /// @param detach return when it is ready, and leave it running
    record Up(Path data, ClusterPlan plan, boolean detach) implements Command {}

    record Status(Path data, boolean json) implements Command {}

    record Down(Path data) implements Command {}

    record Kill(Path data, Role role, int id, Signal signal) implements Command {}

    record Start(Path data, Role role, int id) implements Command {}

    record Logs(Path data, Role role, int id, boolean follow) implements Command {}

    record Help() implements Command {}
}
