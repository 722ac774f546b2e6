package io.millrace.broker.partition;

import java.time.Duration;
import java.util.function.Consumer;

import io.millrace.base.loop.Ticker;

/// What the leaders of this broker share.
///
/// @param self this broker's id
/// @param ticker by which followers' times are taken
/// @param lagTimeMax `replica.lag.time.max.ms`: a follower that was not caught up for so long is out of sync
/// @param eligibility who may join an ISR
/// @param proposals takes partitions whose leader has an ISR to propose ([IsrUpkeep#proposal]); must not block
/// @param roles counts changes of roles and ISRs
public record LeaderContext(int self, Ticker ticker, Duration lagTimeMax, Eligibility eligibility,
        Consumer<Partition> proposals, RoleChanges roles) {

    /// Counts what roles become.
    @FunctionalInterface
    public interface RoleChanges {
        /// A role changed, whoever said so; on the thread that changed it, with no lock held.
        void changed(ReplicaRole before, ReplicaRole after);
    }

    /// Knows the brokers from the metadata.
    @FunctionalInterface
    public interface Eligibility {
        /// Whether the broker is alive, in that life of it, and not about to stop.
        ///
        /// @param brokerEpoch under which it fetched; -1 where it did not say
        boolean eligible(int broker, long brokerEpoch);
    }
}
