package io.millrace.log;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;

/// Commits one log: whoever appends while an fsync is under way shares the next one. At most one is under way. Only the
/// batches are synced; recovery makes the rest anew from them.
final class GroupCommit {
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int RUNNING_AND_ASKED = 2;

    private final LogContext context;
    private final LogGate gate;
    private final Segments segments;
    private final LogOffsets offsets;
    private final LogIdentity identity;
    private final AtomicInteger state = new AtomicInteger();
    /// The segment whose name in the directory is durable.
    private volatile long knownBase = -1;
    private volatile Runnable listener = () -> {};

    GroupCommit(LogContext context, LogGate gate, Segments segments, LogOffsets offsets,
            LogIdentity identity) {
        this.context = context;
        this.gate = gate;
        this.segments = segments;
        this.offsets = offsets;
        this.identity = identity;
    }

    /// `committed` is run after each commit, on the thread that did it and with no lock held.
    void onCommit(Runnable committed) {
        listener = committed;
    }

    /// Tells whoever `older` would have told.
    void inherit(GroupCommit older) {
        listener = older.listener;
    }

    /// Tells the listener to look, whatever was committed.
    void told() {
        listener.run();
    }

    /// Something was appended. Does not block.
    void appended() {
        if (state.getAndUpdate(now -> Math.min(now + 1, RUNNING_AND_ASKED)) == IDLE) {
            gate.inBackground(this::run);
        }
    }

    private void run() throws IOException {
        do {
            state.set(RUNNING);
            try {
                commit();
            } catch (IOException failure) {
                state.set(IDLE);
                throw gate.report(failure);
            }
            listener.run();
        } while (!state.compareAndSet(RUNNING, IDLE));
    }

    /// What is to be committed, as it was at one moment.
    private record Work(List<Segment> held, long end, int truncations) {}

    private void commit() throws IOException {
        var ticker = context.runtime().ticker();
        long started = ticker.nanos();
        var work = gate.locked(() -> new Work(gate.isOpen() ? segments.holdFrom(offsets.committed()) : List.of(),
                offsets.end(), offsets.truncations()));
        if (work.held.isEmpty()) {
            return;
        }
        try {
            identity.makeDurable();
            for (var segment : work.held) {
                segment.syncBatches();
            }
            long newest = work.held.getLast().baseOffset();
            if (newest != knownBase) {
                context.runtime().disk().syncDirectory(context.directory());
                knownBase = newest;
            }
        } finally {
            work.held.forEach(Segment::release);
        }
        gate.look(() -> {
            offsets.committed(work.end, work.truncations);
            return work;
        });
        context.runtime().metrics().committed(ticker.since(started));
    }
}
