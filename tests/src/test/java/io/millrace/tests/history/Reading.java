package io.millrace.tests.history;

import java.util.List;

/// What one reader was given of one partition, in the order in which it came.
public record Reading(String reader, int partition, List<Stored> records) {

    public Reading {
        records = List.copyOf(records);
    }
}
