package io.millrace.broker.produce;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.broker.directories.BlockingWork;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Batches that cannot be checked without decompressing or compressing them. That is done on other threads than the event
/// loops, in bounded memory; and what comes over the same connection meanwhile waits for it, so that batches are appended in
/// the order in which they were sent.
@Slf4j
public final class LongChecks {
    private final BlockingWork work;
    private final long mostBytes;
    private final AtomicLong keptBytes = new AtomicLong();
    private final Counter checked;
    /// By connection, while it has some under way: the end of the last ones. Those of one connection are its event loop's.
    private final Map<String, CompletableFuture<Void>> under = new ConcurrentHashMap<>();

    /// Gets the batches of a request, in order, on the connection's event loop.
    @FunctionalInterface
    interface Checked {
        /// @param bytes as they were sent
        /// @param batch checked or not; failed where it is refused
        void checked(ProducePart place, int bytes, CompletableFuture<ProduceBatch> batch);
    }

    private record Waiting(ProducePart place, int bytes, CompletableFuture<ProduceBatch> batch) {}

    /// @param mostBytes that batches which wait may have together
    public LongChecks(BlockingWork work, long mostBytes, MeterRegistry meters) {
        this.work = work;
        this.mostBytes = mostBytes;
        this.checked = Counter.builder("millrace.produce.long.checks").description(
                "batches that had to be decompressed or compressed").register(meters);
        Gauge.builder("millrace.produce.kept", keptBytes, AtomicLong::get).baseUnit("bytes").description(
                "of batches that wait for that").register(meters);
    }

    /// Whether batches of that connection have to wait for others.
    boolean isUnderWay(RequestContext context) {
        return !under.isEmpty() && under.containsKey(context.connectionId());
    }

    /// For the batches of one request.
    Request of(RequestContext context) {
        return new Request(context);
    }

    /// Those of one request that wait; on its connection's event loop.
    final class Request {
        private final RequestContext context;
        private final List<Waiting> waiting = new ArrayList<>(0);

        Request(RequestContext context) {
            this.context = context;
        }

        boolean isEmpty() {
            return waiting.isEmpty();
        }

        /// Checks a batch.
        ///
        /// @param bytes are copied
        void check(ProducePart place, ByteBuffer bytes, PartitionLog by, AppendOrigin origin) {
            keep(place, bytes, copy -> {
                checked.increment();
                return work.answer(() -> ProduceBatch.of(by.check(copy, origin)));
            });
        }

        /// Has a batch wait that needs no long check.
        ///
        /// @param bytes are copied
        void queue(ProducePart place, ByteBuffer bytes) {
            keep(place, bytes, copy -> CompletableFuture.completedFuture(ProduceBatch.sent(copy)));
        }

        private void keep(ProducePart place, ByteBuffer bytes,
                Function<ByteBuffer, CompletableFuture<ProduceBatch>> then) {
            int size = bytes.remaining();
            if (keptBytes.addAndGet(size) > mostBytes) {
                keptBytes.addAndGet(-size);
                throw new Refused(Errors.REQUEST_TIMED_OUT, "too many batches wait to be compressed");
            }
            waiting.add(new Waiting(place, size, then.apply(ProduceBatch.copy(bytes))));
        }

        /// Hands them on once all are checked, and those of earlier requests were handed on.
        ///
        /// @param end called after the last one
        void run(Checked to, Runnable end) {
            var handedOn = new CompletableFuture<Void>();
            var earlier = under.put(context.connectionId(), handedOn);
            var all = new ArrayList<CompletableFuture<?>>();
            if (earlier != null) {
                all.add(earlier);
            }
            waiting.forEach(each -> all.add(each.batch));
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((_, _) -> onLoop(() -> {
                waiting.forEach(each -> to.checked(each.place, each.bytes, each.batch));
                end.run();
            }, handedOn));
        }

        private void onLoop(Runnable task, CompletableFuture<Void> handedOn) {
            try {
                context.loop().execute(() -> {
                    try {
                        task.run();
                    } finally {
                        ended(handedOn);
                    }
                });
            } catch (RejectedExecutionException _) {
                log.debug("nobody waits any more, the loop has ended connection={}", context.connectionId());
                ended(handedOn);
            }
        }

        private void ended(CompletableFuture<Void> handedOn) {
            waiting.forEach(each -> keptBytes.addAndGet(-each.bytes));
            under.remove(context.connectionId(), handedOn);
            handedOn.complete(null);
        }
    }
}
