package io.millrace.broker.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.broker.partition.AckWait;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.jspecify.annotations.Nullable;

/// The markers of one request that wait for the in-sync replicas. On the connection's event loop.
@Slf4j
final class MarkerWaits {
    private final Loop loop;
    private final BiConsumer<MarkerWait, Throwable> failed;
    private final CompletableFuture<MarkerWaits> done = new CompletableFuture<>();
    private final List<MarkerWait> waiting = new ArrayList<>();
    private int missing;

    /// @param failed notes why a marker was not written
    MarkerWaits(Loop loop, BiConsumer<MarkerWait, Throwable> failed) {
        this.loop = loop;
        this.failed = failed;
    }

    /// Completes once all that were appended are replicated, refused, or `atMost` is over; to be called once all were
    /// appended.
    CompletableFuture<MarkerWaits> await(Duration atMost) {
        if (missing == 0) {
            return CompletableFuture.completedFuture(this);
        }
        Timeout deadline = loop.schedule(atMost, this::expire);
        done.whenComplete((_, _) -> deadline.cancel());
        return done;
    }

    private void expire() {
        for (var wait : waiting) {
            if (wait.cancel()) {
                over(wait, new TimeoutException("not replicated"));
            }
        }
    }

    private void over(MarkerWait wait, @Nullable Throwable failure) {
        if (failure != null) {
            failed.accept(wait, failure);
        }
        missing--;
        if (missing == 0) {
            done.complete(this);
        }
    }

    /// The marker of one partition.
    static final class MarkerWait extends AckWait {
        private final MarkerWaits all;
        private final String topic;
        private final WritableTxnMarkerPartitionResult part;

        MarkerWait(MarkerWaits all, String topic, WritableTxnMarkerPartitionResult part) {
            super(true);
            this.all = all;
            this.topic = topic;
            this.part = part;
        }

        String topic() {
            return topic;
        }

        WritableTxnMarkerPartitionResult part() {
            return part;
        }

        void appended() {
            if (joined()) {
                all.waiting.add(this);
                all.missing++;
            }
        }

        /// Another node writes it.
        ///
        /// @param sent completes once it has, on any thread
        void forwarded(CompletableFuture<?> sent) {
            all.missing++;
            sent.whenComplete((_, failure) -> over(failure));
        }

        @Override
        protected void done(@Nullable Refused refused) {
            over(refused);
        }

        private void over(@Nullable Throwable failure) {
            try {
                all.loop.execute(() -> all.over(this, failure));
            } catch (RejectedExecutionException _) {
                log.debug("nobody is told of a marker any more, the loop has ended topic={} partition={}", topic, part
                        .partitionIndex());
            }
        }
    }
}
