package io.millrace.broker.partition;

import java.util.Optional;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.wire.api.ShardEpoch;

/// Who has a leader append something, and on what terms.
///
/// @param shardEpoch of the coordinator's shard that writes; empty for all others
/// @param terms what it may do to the transaction of the batch's producer
public record Writer(AppendOrigin origin, Optional<ShardEpoch> shardEpoch, TransactionTerms terms) {

    /// A producer.
    public static Writer producer(TransactionTerms terms) {
        return new Writer(AppendOrigin.CLIENT, Optional.empty(), terms);
    }

    /// The owner of a shard in that epoch, which has checked what it writes.
    public static Writer shard(ShardEpoch epoch) {
        return new Writer(AppendOrigin.COORDINATOR, Optional.of(epoch), TransactionTerms.FREE);
    }

    /// Whoever ends a transaction.
    public static Writer marker(TransactionTerms terms) {
        return new Writer(AppendOrigin.COORDINATOR, Optional.empty(), terms);
    }
}
