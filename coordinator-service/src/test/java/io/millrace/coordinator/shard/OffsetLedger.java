package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.Errors;

/// A group that commits a higher offset each time, at whoever is taken for the owner: what is told of it, by whomever, is
/// never lower than what was acknowledged before it was asked for.
final class OffsetLedger {
    private static final String GROUP = "ledger";
    private static final String TOPIC = "t";

    private final SimulatedLoop loop;
    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private long written;
    private long acknowledged = -1;
    private int told;

    OffsetLedger(SimulatedLoop loop) {
        this.loop = loop;
    }

    private record Write(long offset, CompletableFuture<OffsetCommitResponseData> answer) {}

    private record Read(long atLeast, CompletableFuture<OffsetFetchResponseGroup> answer) {}

    void write(Shard<GroupShard> shard) {
        long offset = ++written;
        var request = new OffsetCommitRequestData().setGroupId(GROUP).setGenerationIdOrMemberEpoch(-1).setTopics(List
                .of(new OffsetCommitRequestTopic().setName(TOPIC).setPartitions(List.of(
                        new OffsetCommitRequestPartition().setCommittedOffset(offset).setCommittedMetadata("")))));
        writes.add(new Write(offset, shard.call(active -> active.commit(request))));
        loop.runPending();
    }

    void read(Shard<GroupShard> shard) {
        var request = new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(List.of(new OffsetFetchRequestTopics()
                .setName(TOPIC).setPartitionIndexes(List.of(0))));
        reads.add(new Read(acknowledged, shard.call(active -> active.fetch(request, false))));
        loop.runPending();
    }

    /// Looks at the answers that came.
    void check() {
        for (var read : reads) {
            if (read.answer().isDone() && !read.answer().isCompletedExceptionally() && read.answer().join()
                    .errorCode() == Errors.NONE.code()) {
                told++;
                assertThat(read.answer().join().topics().getFirst().partitions().getFirst().committedOffset())
                        .as("of " + written).isGreaterThanOrEqualTo(read.atLeast());
            }
        }
        reads.removeIf(read -> read.answer().isDone());
        writes.stream().filter(write -> succeeded(write.answer())).forEach(write -> acknowledged = Math.max(
                acknowledged, write.offset()));
        writes.removeIf(write -> write.answer().isDone());
    }

    private static boolean succeeded(CompletableFuture<OffsetCommitResponseData> answer) {
        return answer.isDone() && !answer.isCompletedExceptionally() && answer.join().topics().getFirst().partitions()
                .getFirst().errorCode() == Errors.NONE.code();
    }

    /// How many offsets were told.
    int told() {
        return told;
    }
}
