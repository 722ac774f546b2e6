package io.millrace.tests.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Writing;
import io.millrace.tests.history.Writing.Acknowledged;

/// What one writer sent and was promised, by partition. Any thread may tell and ask.
final class Promises {

    private final String writer;
    private final boolean idempotent;
    private final Map<Integer, Long> sent = new TreeMap<>();
    private final Map<Integer, List<Acknowledged>> acknowledged = new HashMap<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private long count;

    Promises(String writer, boolean idempotent) {
        this.writer = writer;
        this.idempotent = idempotent;
    }

    String writer() {
        return writer;
    }

    /// The next record for that partition; it counts as sent.
    synchronized Mark next(int partition) {
        return new Mark(writer, sent.merge(partition, 1L, Long::sum) - 1);
    }

    synchronized void acknowledge(int partition, long number, long offset) {
        acknowledged.computeIfAbsent(partition, _ -> new ArrayList<>()).add(new Acknowledged(number, offset));
        count++;
    }

    synchronized void fail(String why) {
        failures.merge(why, 1, Integer::sum);
    }

    synchronized long acknowledged() {
        return count;
    }

    synchronized List<String> failures() {
        return failures.entrySet().stream().map(it -> writer + ": " + it.getValue() + " x " + it.getKey()).toList();
    }

    synchronized List<Writing> writings() {
        return sent.entrySet().stream().map(it -> new Writing(writer, it.getKey(), idempotent, it.getValue(),
                acknowledged.getOrDefault(it.getKey(), List.of()))).toList();
    }
}
