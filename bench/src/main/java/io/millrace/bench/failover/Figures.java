package io.millrace.bench.failover;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The figures of one scenario, over its rounds.
final class Figures {

    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    void add(String name, double value) {
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    /// Milliseconds since that time of [System#nanoTime].
    void addSince(String name, long nanos) {
        add(name, (System.nanoTime() - nanos) / 1e6);
    }

    /// A line of fields between tabs for each figure: name, scenario, figure, median, least, most.
    String lines(String name, String scenario) {
        var lines = new StringBuilder();
        values.forEach((figure, all) -> {
            double[] sorted = all.stream().mapToDouble(it -> it).sorted().toArray();
            lines.append(String.format(Locale.ROOT, "%s\t%s\t%s\t%.1f\t%.1f\t%.1f%n", name, scenario, figure,
                    sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]));
        });
        return lines.toString();
    }

    /// A line of a table in Markdown for each figure: median, least, most.
    String rows(String scenario) {
        var rows = new StringBuilder();
        values.forEach((name, all) -> {
            double[] sorted = all.stream().mapToDouble(it -> it).sorted().toArray();
            rows.append(String.format(Locale.ROOT, "| %s | %s | %.0f | %.0f | %.0f |%n", scenario, name,
                    sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]));
        });
        return rows.toString();
    }
}
