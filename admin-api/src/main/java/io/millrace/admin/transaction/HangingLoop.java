package io.millrace.admin.transaction;

import java.time.Duration;

import io.millrace.base.loop.SingleThreadLoop;

/// The thread that looks for hanging transactions now and then.
public final class HangingLoop implements AutoCloseable {
    private final HangingTransactions hanging;
    private final Duration pace;
    private final SingleThreadLoop loop = new SingleThreadLoop("admin-transactions");

    /// @param pace from the end of a look to the next one
    public HangingLoop(HangingTransactions hanging, Duration pace) {
        this.hanging = hanging;
        this.pace = pace;
        loop.schedule(pace, this::tick);
    }

    private void tick() {
        hanging.look();
        loop.schedule(pace, this::tick);
    }

    @Override
    public void close() {
        loop.close();
    }
}
