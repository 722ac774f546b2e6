package io.millrace.standalone.launcher;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Ports;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.plan.ServiceArguments;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Signal;

/// The command line, read once. Whatever is wrong with it is a [Failed] with exit code 2.
final class CommandLine {

    static final String USAGE = """
            usage: bin/millrace COMMAND [OPTION]…

              up [--mode standalone|cluster] [--brokers N] [--coordinators N] [--controllers N]
                 [--port-base P] [--set [NAME:]kafka.KEY=VALUE]… [--detach]
                                     start a cluster; Ctrl-C ends it, unless --detach
              status [--json]        what runs, and where it listens
              down                   end the cluster; its data stay
              kill ROLE ID [--signal KILL|STOP|CONT|TERM]
                                     send a signal to one process, KILL where none is named; with KILL and TERM
                                     wait for its end
              start ROLE ID          start a process again that has ended
              logs ROLE ID [-f]      what it printed; -f: and what it goes on to print

            every command: [--data DIR]   the cluster's folder, default %s
            ROLE: zookeeper, controller, broker, coordinator, admin.
            Ids count from 0, those of coordinators from 1000. NAME is ROLE-ID: a setting for that one alone.
            Ports: brokers from P (default %d), coordinators from P+20, admin API P+51, ZooKeeper P+50.
            MILLRACE_JVM_OPTIONS in the environment: more options of the services' JVMs.
            """;

    private static final int WRONG_USAGE = 2;
    private static final Set<String> FLAGS = Set.of("--detach", "--json", "-f");
    private static final Map<String, Set<String>> OPTIONS = Map.of("up",
            Set.of("--data", "--mode", "--brokers", "--coordinators", "--controllers", "--port-base", "--set",
                    "--detach"),
            "status", Set.of("--data", "--json"), "down", Set.of("--data"), "kill", Set.of("--data", "--signal"),
            "start", Set.of("--data"), "logs", Set.of("--data", "-f"), "help", Set.of());

    private final Path defaultData;
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> settings = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    private CommandLine(Path defaultData) {
        this.defaultData = defaultData;
    }

    /// @param defaultData the data folder where `--data` names none
    /// @throws Failed with exit code 2 and what is wrong
    static Command parse(List<String> args, Path defaultData) {
        try {
            return new CommandLine(defaultData).parse(args);
        } catch (IllegalArgumentException e) {
            throw new Failed(WRONG_USAGE, e.getMessage() + "; see bin/millrace help");
        }
    }

    private Command parse(List<String> args) {
        var rest = new ArrayDeque<String>(args);
        String command = rest.isEmpty() ? "help" : rest.pop();
        if (command.equals("--help") || command.equals("-h")) {
            command = "help";
        }
        Set<String> known = OPTIONS.get(command);
        if (known == null) {
            throw new IllegalArgumentException("unknown command: " + command);
        }
        while (!rest.isEmpty()) {
            take(command, known, rest);
        }
        return command(command);
    }

    private void take(String command, Set<String> known, Deque<String> rest) {
        String option = rest.pop();
        if (!option.startsWith("-")) {
            words.add(option);
            return;
        }
        int equals = option.indexOf('=');
        if (equals > 0) {
            rest.push(option.substring(equals + 1));
            option = option.substring(0, equals);
        }
        if (!known.contains(option)) {
            throw new IllegalArgumentException("unknown option of " + command + ": " + option);
        }
        String value = FLAGS.contains(option) ? "" : rest.poll();
        if (value == null) {
            throw new IllegalArgumentException("no value for " + option);
        }
        if (option.equals("--set")) {
            set(value);
        } else if (options.put(option, value) != null) {
            throw new IllegalArgumentException(option + " is given twice");
        }
    }

    private void set(String setting) {
        int equals = setting.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("--set takes kafka.KEY=VALUE: " + setting);
        }
        String key = setting.substring(0, equals);
        var parsed = ServiceArguments.Key.of(key);
        String name = parsed.name();
        if (!ServiceArguments.settable(parsed)) {
            throw new IllegalArgumentException(
                    name.startsWith("kafka.")
                            ? name + " is set by bin/millrace itself"
                            : "--set takes kafka.KEY=VALUE: "
                                    + setting);
        }
        if (settings.put(key, setting.substring(equals + 1)) != null) {
            throw new IllegalArgumentException(key + " is set twice");
        }
    }

    private Command command(String command) {
        return switch (command) {
            case "up" -> {
                words(0);
                yield new Command.Up(data(), plan(), options.containsKey("--detach"));
            }
            case "status" -> {
                words(0);
                yield new Command.Status(data(), options.containsKey("--json"));
            }
            case "down" -> {
                words(0);
                yield new Command.Down(data());
            }
            case "kill" -> {
                words(2);
                yield new Command.Kill(data(), role(), id(), signal());
            }
            case "start" -> {
                words(2);
                yield new Command.Start(data(), role(), id());
            }
            case "logs" -> {
                words(2);
                yield new Command.Logs(data(), role(), id(), options.containsKey("-f"));
            }
            default -> new Command.Help();
        };
    }

    private void words(int count) {
        if (words.size() > count) {
            throw new IllegalArgumentException("unexpected: " + words.get(count));
        }
        if (words.size() < count) {
            throw new IllegalArgumentException("ROLE and ID are missing");
        }
    }

    private Path data() {
        String data = options.get("--data");
        try {
            return data == null ? defaultData : Path.of(data);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path: " + data, e);
        }
    }

    private ClusterPlan plan() {
        String label = options.getOrDefault("--mode", Mode.STANDALONE.label());
        Mode mode = Mode.labelled(label).orElseThrow(() -> new IllegalArgumentException("unknown mode: " + label));
        var plan = new ClusterPlan(mode, number("--controllers", 1), number("--brokers", 1),
                number("--coordinators", 1), number("--port-base", Ports.DEFAULT_BASE), settings);
        settings.keySet().stream().map(it -> ServiceArguments.Key.of(it).instance())
                .filter(name -> !name.isEmpty() && plan.instances().stream().noneMatch(it -> it.name().equals(name)))
                .findFirst().ifPresent(name -> {
                    throw new IllegalArgumentException("--set for " + name + ", which the cluster does not have");
                });
        return plan;
    }

    private int number(String option, int otherwise) {
        String value = options.get(option);
        return value == null ? otherwise : number(option + " takes a number: ", value);
    }

    private static int number(String problem, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(problem + value, e);
        }
    }

    private Role role() {
        return Role.labelled(words.getFirst())
                .orElseThrow(() -> new IllegalArgumentException("unknown role: " + words.getFirst()));
    }

    private int id() {
        return number("not an id: ", words.getLast());
    }

    private Signal signal() {
        String name = options.getOrDefault("--signal", Signal.KILL.name());
        return Signal.named(name).orElseThrow(() -> new IllegalArgumentException("unknown signal: " + name));
    }
}
