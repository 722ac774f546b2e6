package io.millrace.tests.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.millrace.tests.history.Writing.Acknowledged;

/// Compares what transactions were promised with what readers of committed records get, in the manner of Jepsen's workload
/// for Kafka. What holds for any idempotent writer is left to [Checker], for which the records of committed transactions are
/// the acknowledged ones; beyond that a transaction is there whole or not at all, and nobody sees one that was aborted.
public final class TransactionChecker {

    private final Map<Mark, Set<Integer>> committed = new HashMap<>();

    private TransactionChecker(Map<Integer, List<Stored>> log) {
        log.forEach((partition, stored) -> stored.forEach(it -> committed.computeIfAbsent(it.mark(),
                _ -> new HashSet<>()).add(partition)));
    }

    /// The report of a topic that transactions were written to.
    ///
    /// @param readings by readers of committed records
    /// @param log what a reader of committed records finds in the end
    public static Report check(List<Transaction> transactions, List<Reading> readings, Map<Integer, List<Stored>> log,
            List<Violation.Complaint> complaints) {
        var report = Checker.check(new History(writings(transactions), readings, log, complaints));
        var violations = new ArrayList<>(report.violations());
        var checker = new TransactionChecker(log);
        transactions.forEach(it -> checker.checkWhole(it, violations));
        violations.addAll(abortedReads(transactions, readings, log));
        return report.with(violations);
    }

    /// The report of a topic into which a chain copied each committed record of another one, once, into the partition of the
    /// same number.
    ///
    /// @param transactions by which the other one was written
    /// @param source what a reader of committed records finds in the other one
    /// @param log what such a reader finds in this one
    public static Report checkCopy(List<Transaction> transactions, Map<Integer, List<Stored>> source,
            Map<Integer, List<Stored>> log) {
        var writings = new ArrayList<Writing>();
        source.forEach((partition, stored) -> {
            var numbers = new TreeMap<String, List<Acknowledged>>();
            stored.forEach(it -> numbers.computeIfAbsent(it.mark().writer(), _ -> new ArrayList<>())
                    .add(new Acknowledged(it.mark().number(), Writing.UNTOLD)));
            numbers.forEach((writer, copied) -> writings.add(new Writing(writer, partition, true,
                    copied.stream().mapToLong(Acknowledged::number).max().orElse(-1) + 1, copied)));
        });
        var report = Checker.check(new History(writings, List.of(), log, List.of()));
        var violations = new ArrayList<>(report.violations());
        violations.addAll(abortedReads(transactions, List.of(), log));
        return report.with(violations);
    }

    /// The partitions of a topic whose records stay hidden once all clients have gone.
    ///
    /// @param lastStable up to where readers of committed records come, by partition
    /// @param ends up to where any reader comes
    public static List<Violation> hanging(String topic, Map<Integer, Long> lastStable, Map<Integer, Long> ends) {
        return ends.entrySet().stream().filter(end -> !end.getValue().equals(lastStable.get(end.getKey())))
                .<Violation>map(end -> new Violation.Hanging(topic, end.getKey(), lastStable.getOrDefault(end.getKey(),
                        -1L), end.getValue())).toList();
    }

    private static List<Writing> writings(List<Transaction> transactions) {
        var sent = new TreeMap<String, Map<Integer, Long>>();
        var promised = new HashMap<String, Map<Integer, List<Acknowledged>>>();
        for (var transaction : transactions) {
            for (var part : transaction.records()) {
                sent.computeIfAbsent(transaction.writer(), _ -> new TreeMap<>())
                        .merge(part.partition(), part.number() + 1, Math::max);
                if (transaction.outcome() == Outcome.COMMITTED) {
                    promised.computeIfAbsent(transaction.writer(), _ -> new HashMap<>())
                            .computeIfAbsent(part.partition(), _ -> new ArrayList<>())
                            .add(new Acknowledged(part.number(), part.offset()));
                }
            }
        }
        var writings = new ArrayList<Writing>();
        sent.forEach((writer, partitions) -> partitions.forEach((partition, count) -> writings.add(new Writing(writer,
                partition, true, count, promised.getOrDefault(writer, Map.of()).getOrDefault(partition, List.of())))));
        return writings;
    }

    private void checkWhole(Transaction transaction, List<Violation> violations) {
        long there = transaction.records().stream().filter(it -> isThere(transaction.writer(), it)).count();
        if (there > 0 && there < transaction.records().size()) {
            violations.add(new Violation.Torn(transaction, there));
        }
    }

    private boolean isThere(String writer, Transaction.Part part) {
        return committed.getOrDefault(new Mark(writer, part.number()), Set.of()).contains(part.partition());
    }

    private static List<Violation> abortedReads(List<Transaction> transactions, List<Reading> readings,
            Map<Integer, List<Stored>> log) {
        var aborted = new HashMap<Integer, Set<Mark>>();
        transactions.stream().filter(it -> it.outcome() == Outcome.ABORTED).forEach(transaction -> transaction.records()
                .forEach(part -> aborted.computeIfAbsent(part.partition(), _ -> new HashSet<>())
                        .add(new Mark(transaction.writer(), part.number()))));
        var found = new ArrayList<Violation>();
        log.forEach((partition, stored) -> stored.stream()
                .filter(it -> aborted.getOrDefault(partition, Set.of()).contains(it.mark()))
                .forEach(it -> found.add(new Violation.AbortedRead("the last reader", partition, it))));
        readings.forEach(reading -> reading.records().stream()
                .filter(it -> aborted.getOrDefault(reading.partition(), Set.of()).contains(it.mark()))
                .forEach(it -> found.add(new Violation.AbortedRead(reading.reader(), reading.partition(), it))));
        return found;
    }
}
