package io.millrace.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The figures of several clusters over their rounds.
public final class Table {
    private final Map<List<String>, List<Double>> rows = new LinkedHashMap<>();

    /// Notes the figure of a round, and tells it at once.
    public void add(String cluster, String scenario, String figure, double value) {
        rows.computeIfAbsent(List.of(cluster, scenario, figure), _ -> new ArrayList<>()).add(value);
        System.err.printf(Locale.ROOT, "%s, %s, %s: %.3f%n", cluster, scenario, figure, value);
    }

    /// Prints a line of fields between tabs for each figure: cluster, scenario, figure, median, least, most.
    ///
    /// @param tsv file to append them to; empty for none
    public void print(String tsv) throws IOException {
        var lines = new StringBuilder();
        rows.forEach((row, values) -> {
            double[] sorted = values.stream().mapToDouble(it -> it).sorted().toArray();
            lines.append(String.format(Locale.ROOT, "%s\t%.3f\t%.3f\t%.3f%n", String.join("\t", row),
                    sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]));
        });
        System.out.print(lines);
        if (!tsv.isEmpty()) {
            Files.writeString(Path.of(tsv), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
