package io.millrace.broker.partition;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A producer that waits for all in-sync replicas.
final class Acked extends AckWait {
    private int times;
    private @Nullable Refused reason;

    Acked() {
        super(true);
    }

    @Override
    protected void done(@Nullable Refused refused) {
        times++;
        reason = refused;
    }

    /// How often its wait ended.
    int times() {
        return times;
    }

    boolean succeeded() {
        return (!joined() || times == 1) && reason == null;
    }

    Errors error() {
        return reason == null ? Errors.NONE : reason.error();
    }
}
