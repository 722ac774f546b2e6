package io.millrace.broker.replication;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Loop;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;

/// The way from one fetcher to its leader.
public interface LeaderChannel extends AutoCloseable {

    /// Where the answers come, and where the fetcher therefore lives.
    Loop loop();

    /// Sends `request`; requests arrive in the order of these calls, and so do the answers. To be called on the loop.
    ///
    /// @return completes on the loop, never within this call. Records in the answer are lent: they are valid until those
    ///         who depend on the future have returned. Fails where the leader cannot be reached, or does not answer in time
    CompletableFuture<FetchResponseData> fetch(FetchRequestData request, Duration timeout);

    /// What is in flight fails. From any thread.
    @Override
    void close();

    /// Opens ways to leaders.
    @FunctionalInterface
    interface Opener {
        /// @param leader its broker id; where it listens is looked up with each request
        /// @param fetcher which one of those that follow that leader
        LeaderChannel open(int leader, int fetcher);
    }
}
