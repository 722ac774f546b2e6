package io.millrace.bench.failover;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The command line:
///
///     --data DIR --program bin/millrace [--rounds N] SCENARIO…
///     --bootstrap B --pid 'CMD {id}' --start 'CMD {id}' [--rounds N] SCENARIO…
public final class FailoverBench {

    private FailoverBench() {}

    /// Measures the scenarios one after the other and prints a row of a table for each figure.
    public static void main(String[] args) {
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
                System.out.print(all.measure(scenario));
            }
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
