package io.millrace.coordinator.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecordCodec;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.protocol.Errors;

/// What a shard appends: one batch at a time, and all that comes meanwhile becomes the next. Outcomes are told in the
/// order of the records. Belongs to the shard's loop.
final class AppendQueue {
    private final Loop loop;
    private final ShardSettings settings;
    private final Function<List<EncodedRecord>, CompletableFuture<Long>> append;
    private final ShardMetrics metrics;
    private final Runnable fenced;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private List<Entry> inFlight = List.of();
    private long waitingBytes;
    private boolean closed;

    /// Told how an append ended: `NONE` once it is durable, else the code of the partition's leader.
    @FunctionalInterface
    interface Outcome {
        void settled(Errors error);
    }

    private record Entry(List<EncodedRecord> records, int bytes, Outcome outcome) {}

    /// @param append appends one batch
    /// @param fenced told once a newer owner has appended
    AppendQueue(Loop loop, ShardSettings settings, Function<List<EncodedRecord>, CompletableFuture<Long>> append,
            ShardMetrics metrics, Runnable fenced) {
        this.loop = loop;
        this.settings = settings;
        this.append = append;
        this.metrics = metrics;
        this.fenced = fenced;
    }

    /// Appends `records`, in as few batches as they need. `outcome` is told once, the first failure where there are
    /// several; without records, once all that waits before is settled.
    void append(List<GroupRecord> records, Outcome outcome) {
        loop.assertInLoop();
        if (closed) {
            outcome.settled(Errors.NOT_COORDINATOR);
            return;
        }
        if (waitingBytes > settings.maxWaitingBytes()) {
            metrics.appendRefused();
            outcome.settled(Errors.COORDINATOR_NOT_AVAILABLE);
            return;
        }
        enqueue(records, outcome);
        sendNext();
    }

    /// Ends it: what waits, and what is in flight, is settled with `error`.
    void close(Errors error) {
        loop.assertInLoop();
        closed = true;
        var unsettled = new ArrayList<>(inFlight);
        unsettled.addAll(waiting);
        inFlight = List.of();
        waiting.clear();
        unsettled.forEach(entry -> entry.outcome().settled(error));
    }

    private void enqueue(List<GroupRecord> records, Outcome outcome) {
        var first = new Errors[]{Errors.NONE};
        var piece = new ArrayList<EncodedRecord>();
        int bytes = 0;
        for (var record : records) {
            var encoded = GroupRecordCodec.encode(record);
            if (!piece.isEmpty() && bytes + encoded.size() > settings.maxBatchBytes()) {
                add(new Entry(List.copyOf(piece), bytes, error -> first[0] = first[0] == Errors.NONE
                        ? error
                        : first[0]));
                piece.clear();
                bytes = 0;
            }
            piece.add(encoded);
            bytes += encoded.size();
        }
        add(new Entry(List.copyOf(piece), bytes,
                error -> outcome.settled(first[0] == Errors.NONE ? error : first[0])));
    }

    private void add(Entry entry) {
        waiting.add(entry);
        waitingBytes += entry.bytes();
    }

    private void sendNext() {
        while (!closed && inFlight.isEmpty() && !waiting.isEmpty()) {
            var batch = takeBatch();
            var records = batch.stream().flatMap(entry -> entry.records().stream()).toList();
            inFlight = batch;
            if (records.isEmpty()) {
                settle(batch, Errors.NONE);
            } else {
                long from = metrics.appendBegins();
                append.apply(records).whenComplete((_, failure) -> loop.execute(() -> {
                    metrics.appended(from, records.size(), failure);
                    landed(batch, failure == null ? Errors.NONE : Failures.errorOf(failure));
                }));
            }
        }
    }

    private List<Entry> takeBatch() {
        var batch = new ArrayList<Entry>();
        int bytes = 0;
        for (var next = waiting.peek(); next != null
                && (batch.isEmpty() || bytes + next.bytes() <= settings.maxBatchBytes()); next = waiting.peek()) {
            batch.add(waiting.remove());
            bytes += next.bytes();
        }
        waitingBytes -= bytes;
        return batch;
    }

    private void landed(List<Entry> batch, Errors error) {
        if (closed) {
            return; // settled when it was closed
        }
        settle(batch, error);
        if (error == Errors.FENCED_LEADER_EPOCH) {
            fenced.run();
        }
        sendNext();
    }

    private void settle(List<Entry> batch, Errors error) {
        batch.forEach(entry -> entry.outcome().settled(error));
        inFlight = List.of();
    }
}
