package io.millrace.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// By the versions in which Kafka's schemas say that clients have come to know something.
class TransactionVersionsTest {

    /// Of each api the last version of the old transactions, and the first one of those whose epoch is bumped at each end (KIP-890).
    @ParameterizedTest
    @CsvSource({"ADD_PARTITIONS_TO_TXN,4,0", "ADD_PARTITIONS_TO_TXN,5,2", "END_TXN,4,0", "END_TXN,5,2",
            "TXN_OFFSET_COMMIT,4,0", "TXN_OFFSET_COMMIT,5,2", "ADD_OFFSETS_TO_TXN,4,0", "INIT_PRODUCER_ID,5,0"})
    void theTransactionVersionOfAClientIsThatOfItsRequests(ApiKeys api, short version, short expected) {
        assertThat(TransactionVersions.of(api, version)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"ADD_PARTITIONS_TO_TXN,1,INVALID_PRODUCER_EPOCH", "ADD_PARTITIONS_TO_TXN,2,PRODUCER_FENCED",
            "ADD_OFFSETS_TO_TXN,1,INVALID_PRODUCER_EPOCH", "ADD_OFFSETS_TO_TXN,2,PRODUCER_FENCED",
            "END_TXN,1,INVALID_PRODUCER_EPOCH", "END_TXN,2,PRODUCER_FENCED",
            "INIT_PRODUCER_ID,3,INVALID_PRODUCER_EPOCH", "INIT_PRODUCER_ID,4,PRODUCER_FENCED"})
    void aFencedProducerIsToldSoInWordsOfItsVersion(ApiKeys api, short version, Errors expected) {
        assertThat(TransactionVersions.told(api, version, Errors.PRODUCER_FENCED)).isEqualTo(expected);
        assertThat(TransactionVersions.told(api, version, Errors.INVALID_TXN_STATE)).isEqualTo(
                Errors.INVALID_TXN_STATE);
    }

    /// What the transaction's coordinator says, as the group's coordinator passes it on.
    @ParameterizedTest
    @CsvSource({"3,TRANSACTION_ABORTABLE,INVALID_TXN_STATE", "4,TRANSACTION_ABORTABLE,TRANSACTION_ABORTABLE",
            "0,PRODUCER_FENCED,INVALID_PRODUCER_EPOCH", "5,PRODUCER_FENCED,INVALID_PRODUCER_EPOCH",
            "2,NOT_COORDINATOR,COORDINATOR_LOAD_IN_PROGRESS", "5,CONCURRENT_TRANSACTIONS,COORDINATOR_LOAD_IN_PROGRESS",
            "5,COORDINATOR_NOT_AVAILABLE,COORDINATOR_LOAD_IN_PROGRESS",
            "5,INVALID_PRODUCER_ID_MAPPING,INVALID_PRODUCER_ID_MAPPING",
            "3,INVALID_PRODUCER_EPOCH,INVALID_PRODUCER_EPOCH"})
    void offsetsOfATransactionAreRefusedInWordsOfTheirVersion(short version, Errors said, Errors expected) {
        assertThat(TxnOffsetCommitHandler.told(said, version)).isEqualTo(expected);
    }
}
