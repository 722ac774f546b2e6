package io.millrace.tests.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Compares what was promised with what is there.
public final class Checker {

    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private long repeated;

    private Checker(History history) {
        this.history = history;
    }

    /// Every broken promise of the history, and its numbers.
    public static Report check(History history) {
        return new Checker(history).check();
    }

    private Report check() {
        violations.addAll(history.complaints());
        var partitions = new TreeSet<>(history.log().keySet());
        history.writings().forEach(it -> partitions.add(it.partition()));
        history.readings().forEach(it -> partitions.add(it.partition()));
        partitions.forEach(this::checkPartition);
        return new Report(history.writings().stream().mapToLong(Writing::sent).sum(),
                history.writings().stream().mapToLong(it -> it.acknowledged().size()).sum(),
                history.readings().stream().mapToLong(it -> it.records().size()).sum(),
                history.log().values().stream().mapToLong(List::size).sum(), repeated, violations);
    }

    private void checkPartition(int partition) {
        List<Stored> stored = history.log().getOrDefault(partition, List.of());
        var log = new PartitionLog(stored);
        var sent = new HashMap<String, Long>();
        for (Writing writing : history.writings()) {
            if (writing.partition() == partition) {
                sent.put(writing.writer(), writing.sent());
                checkWriting(writing, log);
            }
        }
        history.readings().stream().filter(it -> it.partition() == partition).forEach(it -> checkReading(it, log));
        stored.stream().filter(it -> !wasSent(it.mark(), sent))
                .forEach(it -> violations.add(new Violation.Invented(partition, it)));
    }

    private static boolean wasSent(Mark mark, Map<String, Long> sent) {
        return mark.number() >= 0 && mark.number() < sent.getOrDefault(mark.writer(), 0L);
    }

    private void checkWriting(Writing writing, PartitionLog log) {
        for (var acknowledged : writing.acknowledged()) {
            var mark = new Mark(writing.writer(), acknowledged.number());
            if (!log.contains(mark)) {
                violations.add(new Violation.Lost(writing.writer(), writing.partition(), acknowledged.number()));
            } else if (acknowledged.offset() != Writing.UNTOLD && !mark.equals(log.at(acknowledged.offset()))) {
                violations.add(new Violation.Displaced(writing.writer(), writing.partition(), acknowledged.number(),
                        acknowledged.offset()));
            }
        }
        checkOrder(writing, log);
    }

    /// What counts is where a record is stored first: a writer that is not idempotent may send it again.
    private void checkOrder(Writing writing, PartitionLog log) {
        long newest = -1;
        for (Stored stored : log.of(writing.writer())) {
            long number = stored.mark().number();
            if (!log.isFirst(stored)) {
                if (writing.idempotent()) {
                    violations.add(new Violation.Duplicated(writing.writer(), writing.partition(), number, stored
                            .offset()));
                } else {
                    repeated++;
                }
            } else if (number < newest) {
                violations.add(
                        new Violation.Reordered(writing.writer(), writing.partition(), number, stored.offset()));
            } else {
                newest = number;
            }
        }
    }

    private void checkReading(Reading reading, PartitionLog log) {
        long before = -1;
        for (Stored record : reading.records()) {
            if (record.offset() <= before) {
                violations.add(new Violation.ReadBackwards(reading.reader(), reading.partition(), before, record
                        .offset()));
            } else if (before >= 0) {
                log.between(before, record.offset()).forEach(it -> violations
                        .add(new Violation.PassedOver(reading.reader(), reading.partition(), it)));
            }
            if (!record.mark().equals(log.at(record.offset()))) {
                violations.add(new Violation.TakenBack(reading.reader(), reading.partition(), record));
            }
            before = record.offset();
        }
    }
}
