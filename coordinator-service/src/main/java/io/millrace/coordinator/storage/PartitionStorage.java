package io.millrace.coordinator.storage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.millrace.wire.api.ShardEpoch;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Shards in the partitions of their topic, at whichever broker leads each. Each request to append has a number of its
/// own, higher than all before: a leader that has seen a newer one refuses an older one, so that no attempt that was given
/// up comes in behind what was appended since. Callable from any thread.
public final class PartitionStorage implements ShardStorage {
    /// Bits of the append number below the time at which the process began: a process that takes the place of a dead one
    /// in the same epoch goes on above it.
    private static final int APPENDS_OF_A_MILLISECOND = 20;

    private final LeaderCalls leaders;
    private final Limits limits;
    private final Batches batches;
    private final AtomicLong lastAppend;

    /// @param appendTimeout for an append with all its attempts: `offsets.commit.timeout.ms`
    /// @param readTimeout for one part of the log with all its attempts
    /// @param readBytes largest part read at once: `offsets.load.buffer.size`
    public record Limits(Duration appendTimeout, Duration readTimeout, int readBytes) {}

    /// @param batches makes record batches
    public PartitionStorage(LeaderCalls leaders, Limits limits, Batches batches) {
        this.leaders = leaders;
        this.limits = limits;
        this.batches = batches;
        lastAppend = new AtomicLong(batches.nowMillis() << APPENDS_OF_A_MILLISECOND);
    }

    @Override
    public CompletableFuture<Long> append(int shard, int epoch, ShardBatch batch) {
        var records = batches.of(batch);
        return leaders.call(shard, limits.appendTimeout(), (topic, remaining) -> {
            var request = Requests.produce(topic, shard, records, remaining);
            new ShardEpoch(epoch, lastAppend.incrementAndGet()).mark(request);
            return request;
        }, PartitionStorage::baseOffset);
    }

    @Override
    public CompletableFuture<Chunk> read(int shard, long offset) {
        return leaders.<FetchResponseData, FetchResponseData.PartitionData>call(shard, limits.readTimeout(),
                (topic, _) -> Requests.fetch(topic, shard, offset, limits.readBytes()), PartitionStorage::partition)
                .thenCompose(answer -> {
                    if (answer.errorCode() != Errors.OFFSET_OUT_OF_RANGE.code()) {
                        return CompletableFuture.completedFuture(batches.read(answer, offset));
                    }
                    long start = answer.logStartOffset();
                    return start > offset
                            ? read(shard, start)
                            : CompletableFuture.failedFuture(new Refused(Errors.OFFSET_OUT_OF_RANGE,
                                    "shard " + shard + " offset " + offset + " log start " + start));
                });
    }

    private static Answer<Long> baseOffset(ProduceResponseData response) {
        var partition = response.responses().stream().flatMap(topic -> topic.partitionResponses().stream()).findFirst();
        return partition.map(answer -> new Answer<>(Errors.forCode(answer.errorCode()), answer.baseOffset()))
                .orElseGet(() -> new Answer<>(Errors.UNKNOWN_SERVER_ERROR, -1L));
    }

    private static Answer<FetchResponseData.PartitionData> partition(FetchResponseData response) {
        if (response.errorCode() != Errors.NONE.code()) {
            return new Answer<>(Errors.forCode(response.errorCode()), new FetchResponseData.PartitionData());
        }
        var partition = response.responses().stream().flatMap(topic -> topic.partitions().stream()).findFirst();
        return partition.map(answer -> {
            var error = Errors.forCode(answer.errorCode());
            // Not a failure: the log begins later.
            return new Answer<>(error == Errors.OFFSET_OUT_OF_RANGE ? Errors.NONE : error, answer);
        }).orElseGet(() -> new Answer<>(Errors.UNKNOWN_SERVER_ERROR, new FetchResponseData.PartitionData()));
    }
}
