package io.millrace.bench.failover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The command line:
///
///     --data DIR --program bin/millrace [--rounds N] [--name NAME --tsv FILE] SCENARIO…
///     --bootstrap B --pid 'CMD {id}' --start 'CMD {id}' [--rounds N] [--name NAME --tsv FILE] SCENARIO…
///
/// Where a file is named, the figures are added to it, a line of fields between tabs for each.
public final class FailoverBench {

    private FailoverBench() {}

    /// Measures the scenarios one after the other and prints a row of a table for each figure.
    public static void main(String[] args) throws IOException {
        Map<String, String> options = new HashMap<>();
        List<String> scenarios = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("--")) {
                options.put(args[i], args[++i]);
            } else {
                scenarios.add(args[i]);
            }
        }
        Target target = options.containsKey("--data")
                ? new Millrace(required(options, "--program"), required(options, "--data"))
                : new Other(required(options, "--bootstrap"), required(options, "--pid"),
                        required(options, "--start"));
        System.out.println("| scenario | figure | median | least | most |\n|---|---|---|---|---|");
        try (var clients = new Clients(target.bootstrap())) {
            var all = new Scenarios(target, clients, Integer.parseInt(options.getOrDefault("--rounds", "3")));
            for (String scenario : scenarios) {
                measure(all, scenario, options);
            }
        }
    }

    /// A scenario that fails does not take those after it along.
    private static void measure(Scenarios all, String scenario, Map<String, String> options) throws IOException {
        try {
            var figures = all.measure(scenario);
            System.out.print(figures.rows(scenario));
            if (options.containsKey("--tsv")) {
                Files.writeString(Path.of(required(options, "--tsv")), figures.lines(required(options, "--name"),
                        scenario), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IllegalStateException failure) {
            System.out.printf("| %s | failed: %s | | | |%n", scenario, failure);
        }
    }

    private static String required(Map<String, String> options, String option) {
        String value = options.get(option);
        if (value == null) {
            throw new IllegalArgumentException("missing: " + option);
        }
        return value;
    }
}
