package io.millrace.broker.transaction;

import org.apache.kafka.common.protocol.Errors;

/// What a producer is told of what the coordinator said, as its client understands it. **pure**
public final class ProduceErrors {
    private static final short FIRST_VERSION_WITH_ABORTABLE = 11;
    /// From which on clients leave it to the leader to take a partition into the transaction (transactions v2).
    public static final short FIRST_VERSION_THAT_ADDS = 12;

    private ProduceErrors() {}

    /// @param said by the coordinator of one partition
    /// @param version of Produce
    public static Errors of(Errors said, short version) {
        return switch (said) {
            // A client that does not know better repeats its request at this one, and without asking for metadata.
            case REQUEST_TIMED_OUT, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR,
                    NETWORK_EXCEPTION ->
                Errors.NOT_ENOUGH_REPLICAS;
            case CONCURRENT_TRANSACTIONS -> version < FIRST_VERSION_THAT_ADDS ? Errors.NOT_ENOUGH_REPLICAS : said;
            case TRANSACTION_ABORTABLE -> version < FIRST_VERSION_WITH_ABORTABLE ? Errors.INVALID_TXN_STATE : said;
            case PRODUCER_FENCED -> Errors.INVALID_PRODUCER_EPOCH;
            default -> said;
        };
    }
}
