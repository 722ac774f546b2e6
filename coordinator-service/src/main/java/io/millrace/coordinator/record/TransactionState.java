package io.millrace.coordinator.record;

import java.util.Arrays;
import java.util.Optional;

/// The states of a transaction, under Kafka's names and numbers. `DEAD` and `PREPARE_EPOCH_FENCE` are Kafka's for what is
/// under way in its memory; they are known so that filters may name them, and never stored.
public enum TransactionState {
    /// Nothing was added yet.
    EMPTY(0, "Empty"),
    /// Partitions are being written.
    ONGOING(1, "Ongoing"),
    /// It will be committed, whatever happens; markers are on their way.
    PREPARE_COMMIT(2, "PrepareCommit"),
    /// It will be aborted, whatever happens; markers are on their way.
    PREPARE_ABORT(3, "PrepareAbort"),
    /// All markers of a commit are written.
    COMPLETE_COMMIT(4, "CompleteCommit"),
    /// All markers of an abort are written.
    COMPLETE_ABORT(5, "CompleteAbort"),
    /// The id has expired.
    DEAD(6, "Dead"),
    /// A producer is about to be fenced.
    PREPARE_EPOCH_FENCE(7, "PrepareEpochFence");

    private final byte number;
    private final String label;

    TransactionState(int number, String label) {
        this.number = (byte) number;
        this.label = label;
    }

    /// As it is stored.
    byte number() {
        return number;
    }

    /// As operators see it.
    public String label() {
        return label;
    }

    /// Whether its end is decided and not yet known everywhere.
    public boolean isPrepared() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }

    static TransactionState of(byte number) {
        return Arrays.stream(values()).filter(state -> state.number == number).findFirst()
                .orElseThrow(() -> new MalformedRecord("transaction state " + number));
    }

    /// The state of that label.
    public static Optional<TransactionState> labelled(String label) {
        return Arrays.stream(values()).filter(state -> state.label.equals(label)).findFirst();
    }
}
