package io.millrace.standalone.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.plan.Ports;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.DataFolder;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Processes;

/// The program behind `bin/millrace`.
public final class Launcher {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    /// What a service may take to hand its work over.
    private static final Duration TERM_LIMIT = Duration.ofSeconds(60);

    private final PrintStream out;
    private final PrintStream err;

    private Launcher(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs one command and exits with its code: 0 done, 1 failed, 2 wrong usage, 3 no such cluster runs.
    public static void main(String[] args) {
        System.exit(new Launcher(System.out, System.err).run(Arrays.asList(args)));
    }

    /// `$XDG_DATA_HOME/millrace`, or `~/.local/share/millrace`.
    static Path defaultData() {
        Map<String, String> environment = System.getenv();
        String dataHome = environment.getOrDefault("XDG_DATA_HOME", "");
        return dataHome.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "share", "millrace")
                : Path.of(dataHome, "millrace");
    }

    private int run(List<String> args) {
        try {
            return switch (CommandLine.parse(args, defaultData())) {
                case Command.Up up -> new UpCommand(up, Distribution.own(), out, err).run();
                case Command.Status status -> status(status);
                case Command.Down down -> down(down);
                case Command.Kill kill -> kill(kill);
                case Command.Start start -> start(start);
                case Command.Logs logs -> logs(logs);
                case Command.Help _ -> {
                    out.printf(CommandLine.USAGE, defaultData(), Ports.DEFAULT_BASE);
                    yield 0;
                }
            };
        } catch (Failed e) {
            err.println("millrace: " + e.getMessage());
            return e.exitCode();
        }
    }

    private int status(Command.Status command) {
        DataFolder folder = DataFolder.open(command.data());
        ClusterStatus status = new StatusReport(folder).look(ClusterStop.runningPlan(folder));
        if (command.json()) {
            StatusReport.json(status, out);
        } else {
            StatusReport.text(status, out);
        }
        return 0;
    }

    private int down(Command.Down command) {
        DataFolder folder = DataFolder.open(command.data());
        int ended = new ClusterStop(folder, err).stop();
        out.println(ended == 0 ? "No cluster ran on " + folder.root() : "Stopped; the data stay in " + folder.root());
        return 0;
    }

    private int kill(Command.Kill command) {
        DataFolder folder = DataFolder.open(command.data());
        ClusterPlan plan = ClusterStop.runningPlan(folder);
        String name = plan.processOf(instance(plan, command.role(), command.id()));
        var processes = new Processes(folder);
        var process = processes.running(name).orElseThrow(() -> new Failed(name + " does not run"));
        processes.signal(process, command.signal());
        boolean done = switch (command.signal()) {
            case KILL -> processes.ends(process, KILL_LIMIT);
            case TERM -> processes.ends(process, TERM_LIMIT);
            case STOP, CONT -> true;
        };
        if (!done) {
            throw new Failed(name + " does not end, pid " + process.pid());
        }
        out.println("Sent " + command.signal() + " to " + name + ", pid " + process.pid());
        return 0;
    }

    private int start(Command.Start command) {
        DataFolder folder = DataFolder.open(command.data());
        ClusterPlan plan = ClusterStop.runningPlan(folder);
        Instance instance = instance(plan, command.role(), command.id());
        var start = new ClusterStart(folder, Distribution.own());
        start.startAgain(plan, instance);
        start.awaitReady(plan, instance);
        out.println(instance.words() + " is ready");
        return 0;
    }

    private int logs(Command.Logs command) {
        DataFolder folder = DataFolder.open(command.data());
        // Of a cluster that is down the mode is forgotten; there is then one log of the two.
        List<String> names = folder.plan().map(plan -> List.of(plan.processOf(instance(plan, command.role(), command
                .id()))))
                .orElseGet(() -> List.of(command.role().label() + "-" + command.id(), "standalone"));
        Path log = names.stream().map(folder::log).filter(Files::exists).findFirst()
                .orElseThrow(() -> new Failed(command.role().label() + " " + command.id() + " has no log"));
        return tail(log, command.follow());
    }

    private static int tail(Path log, boolean follow) {
        var command = new ArrayList<String>(List.of("tail", "-n", "+1"));
        if (follow) {
            command.add("-F");
        }
        command.add(log.toString());
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new Failed("cannot read " + log + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static Instance instance(ClusterPlan plan, Role role, int id) {
        return plan.instance(role, id)
                .orElseThrow(() -> new Failed("the cluster has no " + role.label() + " " + id));
    }
}
