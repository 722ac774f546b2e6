package io.millrace.tests.history;

import java.util.List;
import java.util.Map;

/// All that happened to a topic.
///
/// @param log what every partition holds in the end, in the order of offsets
/// @param complaints what clients said is wrong with the log itself
public record History(List<Writing> writings, List<Reading> readings, Map<Integer, List<Stored>> log,
        List<Violation.Complaint> complaints) {

    public History {
        writings = List.copyOf(writings);
        readings = List.copyOf(readings);
        log = Map.copyOf(log);
        complaints = List.copyOf(complaints);
    }
}
