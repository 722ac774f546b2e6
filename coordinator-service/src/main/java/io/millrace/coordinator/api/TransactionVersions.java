package io.millrace.coordinator.api;

import io.millrace.coordinator.transaction.Transaction;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// What the version of a request says about its client.
final class TransactionVersions {
    private static final short BEFORE = 0;
    private static final int FIRST_ADD_OF_VERSION_2 = 5;
    private static final int FIRST_END_OF_VERSION_2 = 5;
    private static final int FIRST_COMMIT_OF_VERSION_2 = 5;
    private static final int FIRST_ADD_THAT_KNOWS_FENCED = 2;
    private static final int FIRST_END_THAT_KNOWS_FENCED = 2;
    private static final int FIRST_INIT_THAT_KNOWS_FENCED = 4;

    private TransactionVersions() {}

    /// The transaction version (KIP-890) that a client speaks which sends such a request.
    static short of(ApiKeys api, short version) {
        int first = switch (api) {
            case ADD_PARTITIONS_TO_TXN -> FIRST_ADD_OF_VERSION_2;
            case END_TXN -> FIRST_END_OF_VERSION_2;
            case TXN_OFFSET_COMMIT -> FIRST_COMMIT_OF_VERSION_2;
            default -> Short.MAX_VALUE;
        };
        return version >= first ? Transaction.EPOCH_BUMPS : BEFORE;
    }

    /// The error as a client of that version knows it: PRODUCER_FENCED came later than INVALID_PRODUCER_EPOCH.
    static Errors told(ApiKeys api, short version, Errors error) {
        int first = switch (api) {
            case ADD_PARTITIONS_TO_TXN, ADD_OFFSETS_TO_TXN -> FIRST_ADD_THAT_KNOWS_FENCED;
            case END_TXN -> FIRST_END_THAT_KNOWS_FENCED;
            case INIT_PRODUCER_ID -> FIRST_INIT_THAT_KNOWS_FENCED;
            default -> 0;
        };
        return error == Errors.PRODUCER_FENCED && version < first ? Errors.INVALID_PRODUCER_EPOCH : error;
    }
}
