package io.millrace.log.producer;

/// Given by a log to whoever is about to ask the coordinator whether a transaction has this partition (KIP-890): the answer
/// counts only as long as no marker has come since, which would end the transaction that was asked for.
///
/// @param number which one of the log's
/// @param lowestSequence that a batch with it was seen to have: none before is missing where the log knows nothing of the
///        producer
/// @param givenAt milliseconds since 1970
public record TransactionLeave(long number, short producerEpoch, int lowestSequence, long givenAt) {

    /// The same for another batch of the producer.
    TransactionLeave with(int sequence) {
        return sequence < lowestSequence
                ? new TransactionLeave(number, producerEpoch, sequence, givenAt)
                : this;
    }
}
