package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.storage.ShardBatch;
import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What a shard appends: one batch at a time, and all that comes meanwhile becomes the next, as far as it is of the same
/// origin. Outcomes are told in the order of the records. Belongs to the shard's loop.
///
/// @param <R> kind of records
public final class AppendQueue<R> {
    private static final Duration MOMENT = Duration.ofMillis(10);

    private final Loop loop;
    private final AppendLimits limits;
    private final Function<R, EncodedRecord> encoder;
    private final Function<ShardBatch, CompletableFuture<Long>> append;
    private final ShardMetrics metrics;
    private final Consumer<Errors> lost;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private List<Entry> inFlight = List.of();
    /// Who shares the confirmation that waits; null where none does.
    private @Nullable List<Outcome> confirmed;
    private long waitingBytes;
    private boolean sendsSoon;
    private boolean closed;

    /// Told how an append ended: `NONE` once it is durable, else the code of the partition's leader.
    @FunctionalInterface
    public interface Outcome {
        void settled(Errors error);
    }

    private record Entry(ShardBatch batch, int bytes, Outcome outcome, boolean confirms) {}

    /// @param append appends one batch
    /// @param lost told the leader's code where the state here may no longer be what the log says: a newer owner has
    ///         appended, or it is not known what became of an append
    AppendQueue(Loop loop, AppendLimits limits, Function<R, EncodedRecord> encoder,
            Function<ShardBatch, CompletableFuture<Long>> append, ShardMetrics metrics, Consumer<Errors> lost) {
        this.loop = loop;
        this.limits = limits;
        this.encoder = encoder;
        this.append = append;
        this.metrics = metrics;
        this.lost = lost;
    }

    /// Appends `records`, in as few batches as they need. `outcome` is told once, the first failure where there are
    /// several; without records, once all that waits before is settled.
    public void append(List<? extends R> records, Outcome outcome) {
        append(new Origin.Coordinator(), records, outcome);
    }

    /// The same in the name of `origin`.
    public void append(Origin origin, List<? extends R> records, Outcome outcome) {
        if (taken(origin, records, outcome)) {
            sendNext();
        }
    }

    /// The same of what nobody waits for: it goes with what comes next, so that this does not have to wait for it; alone
    /// where nothing comes for a moment.
    public void appendBehind(List<? extends R> records, Outcome outcome) {
        if (taken(new Origin.Coordinator(), records, outcome) && inFlight.isEmpty() && !sendsSoon) {
            sendsSoon = true;
            loop.schedule(MOMENT, () -> {
                sendsSoon = false;
                sendNext();
            });
        }
    }

    private boolean taken(Origin origin, List<? extends R> records, Outcome outcome) {
        loop.assertInLoop();
        if (closed) {
            outcome.settled(Errors.NOT_COORDINATOR);
            return false;
        }
        if (waitingBytes > limits.maxWaitingBytes()) {
            metrics.appendRefused();
            outcome.settled(Errors.COORDINATOR_NOT_AVAILABLE);
            return false;
        }
        enqueue(origin, records, outcome);
        return true;
    }

    /// Makes sure that this process is the owner still: `outcome` is told `NONE` once something that is sent after this
    /// call is durable. Those that come together share one record.
    ///
    /// @param mark a record that changes nothing
    public void confirm(R mark, Outcome outcome) {
        loop.assertInLoop();
        if (confirmed != null) {
            confirmed.add(outcome);
            return;
        }
        var together = new ArrayList<>(List.of(outcome));
        Outcome all = error -> together.forEach(one -> one.settled(error));
        if (!closed && !inFlight.isEmpty() && waitingBytes <= limits.maxWaitingBytes()) {
            confirmed = together;
            var encoded = encoder.apply(mark);
            add(new Entry(ShardBatch.plain(List.of(encoded)), encoded.size(), all, true));
        } else {
            append(List.of(mark), all);
        }
    }

    /// Ends it: what waits, and what is in flight, is settled with `error`.
    public void close(Errors error) {
        loop.assertInLoop();
        closed = true;
        var unsettled = new ArrayList<>(inFlight);
        unsettled.addAll(waiting);
        inFlight = List.of();
        waiting.clear();
        waitingBytes = 0;
        confirmed = null; // settled below with the rest, so that nobody joins it any more
        unsettled.forEach(entry -> entry.outcome().settled(error));
    }

    private void enqueue(Origin origin, List<? extends R> records, Outcome outcome) {
        var first = new Errors[]{Errors.NONE};
        var piece = new ArrayList<EncodedRecord>();
        int bytes = 0;
        for (var record : records) {
            var encoded = encoder.apply(record);
            if (!piece.isEmpty() && bytes + encoded.size() > limits.maxBatchBytes()) {
                add(new Entry(new ShardBatch(origin, piece), bytes, error -> first[0] = first[0] == Errors.NONE
                        ? error
                        : first[0], false));
                piece.clear();
                bytes = 0;
            }
            piece.add(encoded);
            bytes += encoded.size();
        }
        add(new Entry(new ShardBatch(origin, piece), bytes,
                error -> outcome.settled(first[0] == Errors.NONE ? error : first[0]), false));
    }

    private void add(Entry entry) {
        waiting.add(entry);
        waitingBytes += entry.bytes();
    }

    private void sendNext() {
        while (!closed && inFlight.isEmpty() && !waiting.isEmpty()) {
            var batch = takeBatch();
            var origin = batch.getFirst().batch().origin();
            var records = batch.stream().flatMap(entry -> entry.batch().records().stream()).toList();
            inFlight = batch;
            if (records.isEmpty() && !(origin instanceof Origin.Marker)) {
                settle(batch, Errors.NONE);
            } else {
                long from = metrics.appendBegins();
                appended(new ShardBatch(origin, records)).whenComplete((_, failure) -> loop.execute(() -> {
                    metrics.appended(from, records.size(), failure);
                    landed(batch, failure == null ? Errors.NONE : Failures.errorOf(failure));
                }));
            }
        }
    }

    private CompletableFuture<Long> appended(ShardBatch batch) {
        try {
            return append.apply(batch);
        } catch (RuntimeException failure) { // else nothing would be sent any more
            return CompletableFuture.failedFuture(failure);
        }
    }

    private List<Entry> takeBatch() {
        var batch = new ArrayList<Entry>();
        int bytes = 0;
        for (var next = waiting.peek(); next != null
                && (batch.isEmpty() || (fits(batch.getFirst(), next)
                        && bytes + next.bytes() <= limits.maxBatchBytes())); next = waiting.peek()) {
            batch.add(waiting.remove());
            confirmed = next.confirms() ? null : confirmed;
            bytes += next.bytes();
        }
        waitingBytes -= bytes;
        return batch;
    }

    /// A control batch holds one marker.
    private static boolean fits(Entry first, Entry next) {
        return first.batch().origin().equals(next.batch().origin())
                && !(next.batch().origin() instanceof Origin.Marker);
    }

    private void landed(List<Entry> batch, Errors error) {
        if (closed) {
            return; // settled when it was closed
        }
        settle(batch, error);
        if (!AppendErrors.isCertain(error)) {
            lost.accept(error);
        }
        sendNext();
    }

    private void settle(List<Entry> batch, Errors error) {
        batch.forEach(entry -> entry.outcome().settled(error));
        inFlight = List.of();
    }
}
