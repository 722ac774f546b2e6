package io.millrace.broker.produce;

import java.util.Optional;

/// How safe a batch must be before its producer is answered.
enum Acknowledgement {
    /// Not answered at all.
    NONE,
    /// On the leader.
    LEADER,
    /// On all in-sync replicas, of which there must be enough.
    ALL;

    /// @param acks as the request says; empty for what means nothing
    static Optional<Acknowledgement> of(short acks) {
        return switch (acks) {
            case 0 -> Optional.of(NONE);
            case 1 -> Optional.of(LEADER);
            case -1 -> Optional.of(ALL);
            default -> Optional.empty();
        };
    }
}
