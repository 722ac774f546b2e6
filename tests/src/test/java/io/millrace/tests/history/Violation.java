package io.millrace.tests.history;

/// A promise that was broken.
public sealed interface Violation {

    /// Acknowledged, and nowhere in the partition.
    record Lost(String writer, int partition, long number) implements Violation {}

    /// Acknowledged at an offset that holds something else.
    record Displaced(String writer, int partition, long number, long offset) implements Violation {}

    /// Stored twice, although its writer is idempotent.
    record Duplicated(String writer, int partition, long number, long offset) implements Violation {}

    /// Stored behind a later record of its writer.
    record Reordered(String writer, int partition, long number, long offset) implements Violation {}

    /// Stored, and never sent.
    record Invented(int partition, Stored record) implements Violation {}

    /// A reader was given it, and now it is not there any more, or another one is in its place.
    record TakenBack(String reader, int partition, Stored record) implements Violation {}

    /// A reader was given an offset after one that is not lower.
    record ReadBackwards(String reader, int partition, long before, long offset) implements Violation {}

    /// A reader went past it.
    record PassedOver(String reader, int partition, Stored record) implements Violation {}

    /// A reader was told by its client that the log is not as it was.
    record Complaint(String client, String text) implements Violation {}

    /// A reader of committed records was given a record of a transaction that was aborted.
    record AbortedRead(String reader, int partition, Stored record) implements Violation {}

    /// Of a transaction only so many records are there.
    record Torn(Transaction transaction, long there) implements Violation {}

    /// Records of a partition stay hidden from readers of committed records although all clients have gone.
    record Hanging(String topic, int partition, long lastStable, long end) implements Violation {}
}
