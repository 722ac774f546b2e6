package io.millrace.tests.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.millrace.base.loop.Ticker;

/// What happened in a simulation, in its order: the last lines for people, and a fingerprint of all of it, which is the
/// same for two runs of one seed.
final class Trace {
    private static final int KEPT = 200;
    private static final long PRIME = 1_099_511_628_211L;

    private final Deque<String> last = new ArrayDeque<>();
    private final Set<String> happened = new TreeSet<>();
    private final boolean printed;
    private Ticker ticker = () -> 0;
    private long fingerprint = 17;

    /// @param printed whether each line is printed at once
    Trace(boolean printed) {
        this.printed = printed;
    }

    void tellTime(Ticker of) {
        ticker = of;
    }

    void say(String format, Object... ids) {
        var line = "%,15d us ".formatted(ticker.nanos() / 1000) + format.formatted(ids);
        if (printed) {
            System.out.println(line);
        }
        last.addLast(line);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
        mark(line.hashCode());
    }

    /// What is too much to keep: printed or forgotten.
    void detail(String format, Object... ids) {
        if (printed) {
            System.out.println("%,15d us   ".formatted(ticker.nanos() / 1000) + format.formatted(ids));
        }
    }

    /// Something came about that a simulation is meant to try.
    void happened(String what) {
        happened.add(what);
        mark(what.hashCode());
    }

    /// What of that came about, once or more often.
    Set<String> happened() {
        return happened;
    }

    /// Something that nobody reads but that must be the same in a replay.
    void mark(long value) {
        fingerprint = (fingerprint ^ value) * PRIME;
    }

    long fingerprint() {
        return fingerprint;
    }

    List<String> last() {
        return List.copyOf(last);
    }
}
