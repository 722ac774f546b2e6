package io.millrace.coordinator.shard;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.storage.ShardBatch;
import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.coordinator.storage.ShardStorage;
import io.millrace.coordinator.storage.Stored;
import io.millrace.coordinator.storage.StoredMarker;
import io.millrace.coordinator.storage.StoredRecord;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One shard's log in memory, with a leader that keeps the newest epoch it has seen. Calls take a while, and fail as the
/// test says.
final class FakeStorage implements ShardStorage {
    static final Duration LATENCY = Duration.ofMillis(5);
    private static final int CHUNK = 3;
    private static final Errors LOST = Errors.NETWORK_EXCEPTION;

    private final Loop loop;
    private final List<Entry> log = new ArrayList<>();
    private final List<Integer> batchSizes = new ArrayList<>();
    private final Deque<Errors> appendFailures = new ArrayDeque<>();
    private final Deque<Errors> readFailures = new ArrayDeque<>();
    private int newestEpoch;
    private int reads;
    private boolean held;
    private @Nullable Runnable heldAppend;

    /// What is at an offset.
    ///
    /// @param record null for a marker
    private record Entry(Origin origin, @Nullable EncodedRecord record) {
        Stored stored(long offset) {
            if (record == null) {
                var marker = (Origin.Marker) origin;
                return new StoredMarker(offset, marker.producerId(), marker.commit(), marker.coordinatorEpoch());
            }
            var value = record.value();
            return new StoredRecord(offset, ByteBuffer.wrap(record.key().array()),
                    value == null ? null : ByteBuffer.wrap(value.array()),
                    origin instanceof Origin.Transaction of ? of.producerId() : StoredRecord.NO_TRANSACTION);
        }
    }

    FakeStorage(Loop loop) {
        this.loop = loop;
    }

    void failAppend(Errors error) {
        appendFailures.add(error);
    }

    /// The next append is made, but nobody hears of it.
    void loseAnswer() {
        appendFailures.add(LOST);
    }

    void failNoMore() {
        appendFailures.clear();
    }

    void failRead(Errors error) {
        readFailures.add(error);
    }

    /// Appends stay on their way until [#letGo].
    void hold() {
        held = true;
    }

    void letGo() {
        held = false;
        var append = heldAppend;
        heldAppend = null;
        if (append != null) {
            append.run();
        }
    }

    /// Another owner appends in that epoch.
    void takenOver(int epoch) {
        newestEpoch = epoch;
    }

    void add(EncodedRecord record) {
        log.add(new Entry(new Origin.Coordinator(), record));
    }

    /// A leader that was not in sync has the log now.
    void cut(int size) {
        log.subList(size, log.size()).clear();
    }

    /// How often it was read.
    int reads() {
        return reads;
    }

    int size() {
        return log.size();
    }

    List<Integer> batchSizes() {
        return batchSizes;
    }

    private void add(ShardBatch batch) {
        if (batch.origin() instanceof Origin.Marker) {
            log.add(new Entry(batch.origin(), null));
        }
        batch.records().forEach(record -> log.add(new Entry(batch.origin(), record)));
    }

    @Override
    public CompletableFuture<Long> append(int shard, int epoch, ShardBatch batch) {
        var result = new CompletableFuture<Long>();
        Runnable append = () -> loop.schedule(LATENCY, () -> {
            var failure = appendFailures.poll();
            if (epoch < newestEpoch) {
                result.completeExceptionally(new Refused(Errors.FENCED_LEADER_EPOCH, "epoch " + epoch));
            } else if (failure == LOST) {
                add(batch);
                result.completeExceptionally(new Refused(Errors.REQUEST_TIMED_OUT, "as the test says"));
            } else if (failure != null) {
                result.completeExceptionally(new Refused(failure, "as the test says"));
            } else {
                newestEpoch = epoch;
                batchSizes.add(batch.records().size());
                long base = log.size();
                add(batch);
                result.complete(base);
            }
        });
        if (held) {
            heldAppend = append;
        } else {
            append.run();
        }
        return result;
    }

    @Override
    public CompletableFuture<Chunk> read(int shard, long offset) {
        reads++;
        var result = new CompletableFuture<Chunk>();
        loop.schedule(LATENCY, () -> {
            var failure = readFailures.poll();
            if (failure != null) {
                result.completeExceptionally(new Refused(failure, "as the test says"));
                return;
            }
            var records = new ArrayList<Stored>();
            for (long at = offset; at < Math.min(offset + CHUNK, log.size()); at++) {
                records.add(log.get((int) at).stored(at));
            }
            result.complete(new Chunk(offset + records.size(), log.size(), records));
        });
        return result;
    }
}
