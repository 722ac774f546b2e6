package io.millrace.log.disk;

import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.check.Check;

/// How many files may be mapped at once. Linux lets a process have so many maps (`vm.max_map_count`) and no more, of which
/// the JVM itself needs some: whoever gets none here does without. Any thread may call.
public final class MapBudget {
    private final AtomicInteger left;
    private final int most;

    /// @param most maps; 0 for none at all
    public MapBudget(int most) {
        Check.argument(most >= 0, "most=%d", most);
        this.most = most;
        this.left = new AtomicInteger(most);
    }

    /// Takes one; false where none is left.
    public boolean take() {
        int now = left.get();
        while (now > 0 && !left.compareAndSet(now, now - 1)) {
            now = left.get();
        }
        return now > 0;
    }

    /// Gives `count` back, whose files are no longer mapped.
    public void giveBack(int count) {
        left.addAndGet(count);
    }

    /// How many are taken.
    public int taken() {
        return most - left.get();
    }
}
