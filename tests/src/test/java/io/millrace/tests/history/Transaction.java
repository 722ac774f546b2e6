package io.millrace.tests.history;

import java.util.List;

/// A transaction as its client saw it.
///
/// @param records all that the client was given to send within it
public record Transaction(String writer, Outcome outcome, List<Part> records) {

    /// One of its records.
    ///
    /// @param number of its [Mark]
    /// @param offset where the client was told that it is stored, or [Writing#UNTOLD]
    public record Part(int partition, long number, long offset) {}

    public Transaction {
        records = List.copyOf(records);
    }
}
