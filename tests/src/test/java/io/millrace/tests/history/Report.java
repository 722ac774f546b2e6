package io.millrace.tests.history;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a history says.
///
/// @param repeated records stored more than once by writers that are not idempotent, which is no violation
public record Report(long sent, long acknowledged, long read, long stored, long repeated, List<Violation> violations) {

    public Report {
        violations = List.copyOf(violations);
    }

    /// The same numbers with other violations.
    Report with(List<Violation> others) {
        return new Report(sent, acknowledged, read, stored, repeated, others);
    }

    /// The same with more violations.
    public Report and(List<Violation> more) {
        var all = new ArrayList<>(violations);
        all.addAll(more);
        return with(all);
    }

    /// How many violations of that kind.
    public long count(Class<? extends Violation> kind) {
        return violations.stream().filter(kind::isInstance).count();
    }

    /// Numbers on one line, then the first violations.
    public String text() {
        var kinds = new TreeMap<>(violations.stream()
                .collect(Collectors.groupingBy(it -> it.getClass().getSimpleName(), Collectors.counting())));
        var examples = violations.stream().limit(20).map(it -> "\n  " + it).collect(Collectors.joining());
        return "sent=%d acknowledged=%d read=%d stored=%d repeated=%d violations=%s%s".formatted(sent, acknowledged,
                read, stored, repeated, kinds, examples);
    }
}
