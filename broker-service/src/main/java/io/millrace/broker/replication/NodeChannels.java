package io.millrace.broker.replication;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Loop;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.client.ClientLimits;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.connection.EventLoops;
import io.millrace.wire.error.NodeUnreachable;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import reactor.netty.resources.LoopResources;

/// Connections to leaders, one for each fetcher and each on one event loop, on which its answers are also appended.
///
/// @param clientId sent with each request
/// @param loops shared with the listeners
/// @param images say where a leader listens
/// @param listener by which brokers reach each other
@Slf4j
public record NodeChannels(String clientId, LoopResources loops, Supplier<ClusterImage> images,
        String listener) implements LeaderChannel.Opener {
    /// The fetcher itself rests after a failure.
    private static final Backoff AT_ONCE = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    @Override
    public LeaderChannel open(int leader, int fetcher) {
        var eventLoop = loops.onClient(true).next();
        var defaults = ClientLimits.DEFAULTS;
        var limits = new ClientLimits(defaults.maxInFlight(), defaults.maxWaiting(), Integer.MAX_VALUE, CONNECT_TIMEOUT,
                defaults.maxSilence(), AT_ONCE);
        var client = NodeClient.on(eventLoop, "%s-fetcher-%d".formatted(clientId, fetcher), loops, limits);
        return new NodeChannelToLeader(leader, EventLoops.loopOf(eventLoop), client, this);
    }

    private CompletableFuture<NodeAddress> find(int leader) {
        return images.get().broker(leader).flatMap(broker -> broker.endpoint(listener))
                .map(endpoint -> CompletableFuture.completedFuture(new NodeAddress(endpoint.host(), endpoint.port())))
                .orElseGet(() -> CompletableFuture.failedFuture(new NodeUnreachable("broker " + leader
                        + " is not registered with a listener " + listener, null)));
    }

    private record NodeChannelToLeader(int leader, Loop loop, NodeClient client,
            NodeChannels channels) implements LeaderChannel {

        @Override
        public CompletableFuture<FetchResponseData> fetch(FetchRequestData request, Duration timeout) {
            var result = new CompletableFuture<FetchResponseData>();
            channels.find(leader)
                    .thenCompose(address -> client.borrow(address, request, timeout, result::complete))
                    .whenComplete((_, failure) -> {
                        if (failure != null) {
                            failLater(result, failure);
                        }
                    });
            return result;
        }

        /// A failure may be known at once, and the caller is not prepared for that.
        private void failLater(CompletableFuture<FetchResponseData> result, Throwable failure) {
            try {
                loop.execute(() -> result.completeExceptionally(failure));
            } catch (RejectedExecutionException ended) {
                log.debug("the event loop has ended leader={} reason={}", leader, ended.toString());
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
