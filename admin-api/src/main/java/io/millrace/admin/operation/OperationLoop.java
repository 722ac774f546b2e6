package io.millrace.admin.operation;

import java.time.Duration;

import io.millrace.base.loop.SingleThreadLoop;
import lombok.extern.slf4j.Slf4j;

/// The thread that takes operations further: once a second, and at once where something was asked for.
@Slf4j
public final class OperationLoop implements AutoCloseable {
    private static final Duration PACE = Duration.ofSeconds(1);

    private final OperationRunner runner;
    private final CopyProgress copies;
    private final OperationStore store;
    private final SingleThreadLoop loop = new SingleThreadLoop("admin-operations");

    public OperationLoop(OperationRunner runner, CopyProgress copies, OperationStore store) {
        this.runner = runner;
        this.copies = copies;
        this.store = store;
        loop.schedule(PACE, this::tick);
    }

    /// Takes all of them further now.
    public void wake() {
        loop.execute(runner::step);
    }

    private void tick() {
        runner.step();
        try {
            copies.look(store.all().stream().map(OperationStore.Stored::operation).filter(operation -> !operation
                    .state().over()).toList());
        } catch (RuntimeException failure) {
            log.debug("event=progress-unknown cause=\"{}\"", failure.toString());
        }
        loop.schedule(PACE, this::tick);
    }

    @Override
    public void close() {
        loop.close();
    }
}
