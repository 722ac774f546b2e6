package io.millrace.coordinator.handover;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.millrace.base.loop.Loop;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;

/// Tells the controller which shards this coordinator is ready to own: one command at a time, with all that became ready
/// meanwhile. A command that fails is not sent again, since a shard that stands by says so again about each second. Callable
/// from any thread.
@Slf4j
public final class PreparedReports implements Consumer<Prepared> {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ControllerClient controller;
    private final int nodeId;
    private final LongSupplier nodeEpoch;
    private final Loop loop;
    private final Set<Prepared> waiting = new LinkedHashSet<>();
    private boolean sending;

    /// @param nodeEpoch of this node's present registration
    /// @param loop that all of it happens on
    public PreparedReports(ControllerClient controller, int nodeId, LongSupplier nodeEpoch, Loop loop) {
        this.controller = controller;
        this.nodeId = nodeId;
        this.nodeEpoch = nodeEpoch;
        this.loop = loop;
    }

    @Override
    public void accept(Prepared shard) {
        loop.execute(() -> {
            waiting.add(shard);
            send();
        });
    }

    private void send() {
        if (sending || waiting.isEmpty()) {
            return;
        }
        sending = true;
        var ready = List.copyOf(waiting);
        waiting.clear();
        controller.send(new ShardsPrepared(nodeId, nodeEpoch.getAsLong(), ready), TIMEOUT)
                .whenComplete((result, failure) -> loop.execute(() -> {
                    sending = false;
                    if (failure == null) {
                        log.info("shards prepared coordinator={} shards={} handedOver={}", nodeId, ready.size(), result
                                .handedOver());
                    } else {
                        log.warn("not told of prepared shards coordinator={} shards={} reason={}", nodeId, ready.size(),
                                Failures.cause(failure).toString());
                    }
                    send();
                }));
    }
}
