package io.millrace.log.producer;

import org.jspecify.annotations.Nullable;

/// What an append may do to the transaction of its producer.
public sealed interface TransactionTerms {
    /// Begin one, as well as go on with it or end it.
    TransactionTerms FREE = new Free();

    /// Nobody has to be asked.
    record Free() implements TransactionTerms {}

    /// It begins one only where the coordinator said that the partition is in it.
    ///
    /// @param leave with which that was asked; null where the transaction was found open, so that there was no need to
    /// @param coordinatorEpoch in which the coordinator said so; a marker of a later one tells that it was deposed
    record Verified(@Nullable TransactionLeave leave, int coordinatorEpoch) implements TransactionTerms {

        /// In an epoch that is not known.
        public Verified(@Nullable TransactionLeave leave) {
            this(leave, Integer.MAX_VALUE);
        }
    }

    /// It ends one of an epoch before its own: in transactions v2 each end raises the epoch, so that a marker that comes late
    /// ends nothing that began since.
    record EndsOlderEpoch() implements TransactionTerms {}
}
