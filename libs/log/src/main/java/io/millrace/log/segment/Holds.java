package io.millrace.log.segment;

import java.util.concurrent.atomic.AtomicInteger;

/// Who still needs the files of a segment: its owner, and readers. Any thread.
final class Holds {
    /// The owner's, and one for each reader.
    private final AtomicInteger count = new AtomicInteger(1);

    /// Takes one; false where all were given back already.
    boolean take() {
        int now = count.get();
        while (now > 0 && !count.compareAndSet(now, now + 1)) {
            now = count.get();
        }
        return now > 0;
    }

    /// Whether anybody still needs them.
    boolean taken() {
        return count.get() > 0;
    }

    /// Gives one back; true where it was the last.
    boolean giveBack() {
        return count.decrementAndGet() == 0;
    }
}
