package io.millrace.tests.history;

/// The name of a record: which writer sent it, and as its how many-th to that partition, counted from 0.
public record Mark(String writer, long number) {

    /// Of a record that no writer of ours made.
    static final long FOREIGN = -1;

    /// As it is written into the record's value.
    public String text() {
        return writer + ":" + number;
    }

    /// Reads [#text]; anything else is the mark of a foreign record.
    public static Mark parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return colon < 1
                    ? new Mark(text, FOREIGN)
                    : new Mark(text.substring(0, colon), Long.parseLong(text, colon + 1, text.length(), 10));
        } catch (NumberFormatException e) {
            return new Mark(text, FOREIGN);
        }
    }
}
