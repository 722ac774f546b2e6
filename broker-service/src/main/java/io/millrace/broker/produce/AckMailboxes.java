package io.millrace.broker.produce;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.base.loop.Loop;
import lombok.extern.slf4j.Slf4j;

/// Brings batches whose wait is over back to the event loop of their connection: what gathers until the loop has time goes
/// in one task, however many batches of however many partitions it is.
@Slf4j
final class AckMailboxes {
    /// As many as there are event loops.
    private final Map<Loop, Mailbox> mailboxes = new ConcurrentHashMap<>();

    /// The one of that loop.
    Mailbox of(Loop loop) {
        return mailboxes.computeIfAbsent(loop, Mailbox::new);
    }

    /// Of one loop. Bounded by the batches that wait.
    static final class Mailbox {
        private final Loop loop;
        private final Queue<PartWait> over = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean called = new AtomicBoolean();

        Mailbox(Loop loop) {
            this.loop = loop;
        }

        /// Has [PartWait#over] called on the loop. Any thread.
        void add(PartWait wait) {
            over.add(wait);
            if (called.compareAndSet(false, true)) {
                try {
                    loop.execute(this::empty);
                } catch (RejectedExecutionException _) {
                    log.debug("nobody is told any more, the loop has ended");
                }
            }
        }

        private void empty() {
            called.set(false);
            for (var wait = over.poll(); wait != null; wait = over.poll()) {
                wait.over();
            }
        }
    }
}
