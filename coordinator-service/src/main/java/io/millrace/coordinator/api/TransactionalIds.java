package io.millrace.coordinator.api;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What the handlers do alike with transactional ids.
final class TransactionalIds {
    private TransactionalIds() {}

    /// @throws Refused where the id is missing or empty
    static String required(@Nullable String transactionalId) {
        if (transactionalId == null || transactionalId.isEmpty()) {
            throw new Refused(Errors.INVALID_REQUEST, "a transactional id is needed");
        }
        return transactionalId;
    }
}
