package io.millrace.tests.load;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

import io.millrace.tests.history.Outcome;
import io.millrace.tests.history.Transaction;

/// A transaction as a line of text, from one process to another.
final class TransactionLine {
    private static final String BEGIN = "transaction ";

    private TransactionLine() {}

    static String of(Transaction transaction) {
        return transaction.records().stream()
                .map(part -> part.partition() + ":" + part.number() + ":" + part.offset())
                .collect(Collectors.joining(" ", BEGIN + transaction.outcome() + " ", ""));
    }

    /// Empty for a line that is none.
    static Optional<Transaction> parse(String writer, String line) {
        if (!line.startsWith(BEGIN)) {
            return Optional.empty();
        }
        var words = line.substring(BEGIN.length()).trim().split(" ", -1);
        var parts = Arrays.stream(words).skip(1).map(TransactionLine::part).toList();
        return Optional.of(new Transaction(writer, Outcome.valueOf(words[0]), parts));
    }

    private static Transaction.Part part(String word) {
        var numbers = word.split(":", -1);
        return new Transaction.Part(Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(
                numbers[2]));
    }
}
