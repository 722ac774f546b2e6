package io.millrace.broker.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.millrace.wire.error.Refused;
import org.jspecify.annotations.Nullable;

/// The batches of one reign that wait for the in-sync replicas, or for the disk, in the order of their offsets: the mark that
/// passes them takes them from the front, and none is looked at before.
///
/// Any thread may call; the monitor is held for single steps along the list, never while someone is told.
final class AckQueue {
    private final LongSupplier mark;
    private @Nullable AckWait first;
    private @Nullable AckWait last;
    private @Nullable Refused over;

    AckQueue(LongSupplier mark) {
        this.mark = mark;
    }

    /// Lets `wait` wait for its batch, unless that is replicated already.
    ///
    /// @throws Refused where the reign is over
    synchronized void add(AckWait wait, long lastOffset) {
        if (over != null) {
            throw over;
        }
        // The mark is raised before it is told here, so that what is looked at last is missed by neither.
        if (mark.getAsLong() > lastOffset) {
            return;
        }
        wait.lastOffset = lastOffset;
        // Nearly always the last one; a repeated batch goes to where the first one waits.
        var before = last;
        while (before != null && before.lastOffset > lastOffset) {
            before = before.previous;
        }
        link(wait, before);
    }

    /// The mark has been raised: ends the waits that it passed.
    ///
    /// @param refused null where the batches are as safe as was asked for
    void release(@Nullable Refused refused) {
        passed(mark.getAsLong()).forEach(wait -> wait.done(refused));
    }

    /// The reign is over: ends all waits, and refuses those to come.
    void close(Refused reason) {
        List<AckWait> all;
        synchronized (this) {
            over = reason;
            all = take(Long.MAX_VALUE);
        }
        all.forEach(wait -> wait.done(reason));
    }

    synchronized boolean remove(AckWait wait) {
        if (wait.queue != this) {
            return false;
        }
        unlink(wait);
        return true;
    }

    private synchronized List<AckWait> passed(long reached) {
        return take(reached);
    }

    private List<AckWait> take(long below) {
        if (first == null || first.lastOffset >= below) {
            return List.of();
        }
        var taken = new ArrayList<AckWait>();
        for (var wait = first; wait != null && wait.lastOffset < below; wait = first) {
            unlink(wait);
            taken.add(wait);
        }
        return taken;
    }

    private void link(AckWait wait, @Nullable AckWait before) {
        var after = before == null ? first : before.next;
        wait.previous = before;
        wait.next = after;
        if (before == null) {
            first = wait;
        } else {
            before.next = wait;
        }
        if (after == null) {
            last = wait;
        } else {
            after.previous = wait;
        }
        wait.join(this);
    }

    private void unlink(AckWait wait) {
        if (wait.previous == null) {
            first = wait.next;
        } else {
            wait.previous.next = wait.next;
        }
        if (wait.next == null) {
            last = wait.previous;
        } else {
            wait.next.previous = wait.previous;
        }
        wait.previous = null;
        wait.next = null;
        wait.queue = null;
    }
}
