package io.millrace.tests.simulation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// What some replica has shown below its high watermark of one partition: from then on every replica must agree.
final class CommittedLog {
    private static final int PRODUCER_SHIFT = 32;

    private final Map<Long, Long> newestOfProducer = new HashMap<>();
    private final Map<Integer, Integer> endAtElection = new HashMap<>();
    private long[] values = new long[64];
    private int[] epochs = new int[64];
    private int end;
    private long start;

    /// The number of a record, which tells its producer and its place among that one's records.
    static long value(int producer, int number) {
        return ((long) producer << PRODUCER_SHIFT) | number;
    }

    int end() {
        return end;
    }

    /// Somebody asked to delete the records before that offset: from now on they may be gone.
    void mayBeDeleted(long before) {
        start = Math.max(start, before);
    }

    /// The first record that nobody asked to delete.
    long start() {
        return start;
    }

    /// A leader was elected: it must have what is committed by now.
    void elected(int leaderEpoch) {
        endAtElection.putIfAbsent(leaderEpoch, end);
    }

    /// How many records were committed when the leader of that epoch was elected.
    int endAtElection(int leaderEpoch) {
        return endAtElection.getOrDefault(leaderEpoch, 0);
    }

    boolean holds(long offset, long value) {
        return offset >= 0 && offset < end && values[(int) offset] == value;
    }

    /// A replica shows that record below its high watermark. What somebody asked to delete may be another one there: where a
    /// process is killed before the new start of its log was written, it comes back, and a replica that was away when such a
    /// record was committed, and came back when it was deleted, never saw it.
    void seen(long offset, long value, int epoch, String where) {
        if (offset > end) {
            throw new Violation("gap: %s has offset=%d below its high watermark, known so far are %d", where, offset,
                    end);
        }
        if (offset == end) {
            append(value, epoch, where);
        } else if (offset >= start && (values[(int) offset] != value || epochs[(int) offset] != epoch)) {
            throw new Violation("%s has record=%x epoch=%d at offset=%d, where record=%x epoch=%d was committed", where,
                    value, epoch, offset, values[(int) offset], epochs[(int) offset]);
        }
    }

    private void append(long value, int epoch, String where) {
        if (end == values.length) {
            values = Arrays.copyOf(values, 2 * end);
            epochs = Arrays.copyOf(epochs, 2 * end);
        }
        if (end > 0 && epochs[end - 1] > epoch) {
            throw new Violation("%s commits epoch=%d at offset=%d behind epoch=%d", where, epoch, end, epochs[end - 1]);
        }
        var before = value < 0 ? null : newestOfProducer.put(value >>> PRODUCER_SHIFT, value);
        if (before != null && before >= value) {
            throw new Violation("%s commits record=%x at offset=%d behind record=%x of the same producer", where,
                    value, end, before);
        }
        values[end] = value;
        epochs[end] = epoch;
        end++;
    }
}
