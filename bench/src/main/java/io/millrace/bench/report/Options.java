package io.millrace.bench.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A command line of options with one value each, and of `--cluster` with several, once for each cluster.
public final class Options {
    private static final String CLUSTER = "--cluster";

    private final Map<String, String> values = new HashMap<>();
    private final List<List<String>> clusters = new ArrayList<>();

    /// @param clusterValues how many follow each `--cluster`
    /// @throws IllegalArgumentException where values are missing
    public Options(String[] arguments, int clusterValues) {
        int at = 0;
        while (at < arguments.length) {
            String option = arguments[at++];
            int count = option.equals(CLUSTER) ? clusterValues : 1;
            if (at + count > arguments.length) {
                throw new IllegalArgumentException(option + " needs " + count + " values");
            }
            var given = List.of(arguments).subList(at, at + count);
            at += count;
            if (option.equals(CLUSTER)) {
                clusters.add(given);
            } else {
                values.put(option, given.getFirst());
            }
        }
    }

    /// The value of an option.
    public int number(String option, int otherwise) {
        return Integer.parseInt(text(option, String.valueOf(otherwise)));
    }

    /// The value of an option.
    public String text(String option, String otherwise) {
        return values.getOrDefault(option, otherwise);
    }

    /// What `read` makes of the values of each cluster, in their order.
    public <C> List<C> clusters(Function<List<String>, C> read) {
        return clusters.stream().map(read).toList();
    }
}
