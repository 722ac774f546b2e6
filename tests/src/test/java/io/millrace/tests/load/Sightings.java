package io.millrace.tests.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Reading;
import io.millrace.tests.history.Stored;
import io.millrace.tests.history.Violation.Complaint;

/// What one reader saw, by partition. Any thread may tell and ask.
final class Sightings {

    private final String reader;
    private final Map<Integer, List<Stored>> seen = new TreeMap<>();
    private final List<Complaint> complaints = new ArrayList<>();

    Sightings(String reader) {
        this.reader = reader;
    }

    String reader() {
        return reader;
    }

    synchronized void saw(int partition, long offset, String value) {
        seen.computeIfAbsent(partition, _ -> new ArrayList<>()).add(new Stored(offset, Mark.parse(value)));
    }

    synchronized void complain(String text) {
        complaints.add(new Complaint(reader, text));
    }

    synchronized List<Complaint> complaints() {
        return List.copyOf(complaints);
    }

    synchronized Map<Integer, Long> newest() {
        var newest = new HashMap<Integer, Long>();
        seen.forEach((partition, records) -> newest.put(partition, records.getLast().offset()));
        return newest;
    }

    synchronized List<Reading> readings() {
        return seen.entrySet().stream().map(it -> new Reading(reader, it.getKey(), it.getValue())).toList();
    }
}
