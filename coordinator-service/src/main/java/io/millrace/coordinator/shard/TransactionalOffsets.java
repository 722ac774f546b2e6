package io.millrace.coordinator.shard;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.offsets.Admission;
import io.millrace.coordinator.offsets.OffsetCommits;
import io.millrace.coordinator.offsets.PendingOffsets;
import io.millrace.coordinator.offsets.RecentEnds;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.api.MarkerTurns;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.protocol.Errors;

/// Offsets that become real with the end of a transaction. They are stored as its records are, and wait beside the others
/// until its marker is in the log. Belongs to the shard's loop.
final class TransactionalOffsets {
    private static final long NO_OFFSET = -1;

    private final ShardSettings settings;
    private final ShardRuntime runtime;
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final RecentEnds ends = new RecentEnds();
    private final MarkerTurns turns = new MarkerTurns();

    TransactionalOffsets(ShardSettings settings, ShardRuntime runtime, GroupTable table,
            AppendQueue<GroupRecord> appends) {
        this.settings = settings;
        this.runtime = runtime;
        this.table = table;
        this.appends = appends;
    }

    private PendingOffsets pending() {
        return table.pending();
    }

    /// Taken before the transaction's coordinator is asked.
    RecentEnds.Leave leave() {
        return ends.leave();
    }

    /// A commit that its group let in. Where the transaction has ended since the coordinator was asked, it is to ask again.
    CompletableFuture<OffsetCommitResponseData> commit(OffsetCommitRequestData request, long producerId, short epoch,
            Admission admission) {
        if (!ends.counts(admission.leave(), producerId, admission.coordinatorEpoch())) {
            return CompletableFuture.completedFuture(
                    OffsetCommits.refused(request, Errors.COORDINATOR_LOAD_IN_PROGRESS));
        }
        var commit = OffsetCommits.decide(request, settings.maxMetadataBytes(), runtime.clock().millis());
        if (commit.records().isEmpty()) {
            return CompletableFuture.completedFuture(commit.response());
        }
        var answer = new CompletableFuture<OffsetCommitResponseData>();
        var slot = table.findOrCreate(request.groupId());
        slot.commitBegins();
        appends.append(new Origin.Transaction(producerId, epoch), commit.records(), error -> {
            slot.commitEnds();
            if (error == Errors.NONE) {
                commit.records().forEach(record -> replay(producerId, record));
                answer.complete(commit.response());
            } else {
                answer.complete(OffsetCommits.refused(request, AppendErrors.forTransaction(error)));
            }
            table.forgetIfBlank(slot);
        });
        return answer;
    }

    /// Takes over a record that is stored as a part of a transaction.
    void replay(long producerId, GroupRecord record) {
        if (record instanceof OffsetPut put) {
            table.findOrCreate(put.groupId());
            pending().put(producerId, put);
        } else {
            table.replay(record);
        }
    }

    /// Takes over the end of a transaction that is stored.
    void ended(long producerId, boolean commit, int coordinatorEpoch) {
        ends.ended(producerId, coordinatorEpoch);
        var groups = pending().groupsOf(producerId);
        pending().end(producerId, commit).forEach(table::replay);
        groups.forEach(group -> table.find(group).ifPresent(table::forgetIfBlank));
    }

    /// Stores the end of a transaction, and then lets its offsets become real or go. Completes with `NONE` or the code of
    /// the partition's leader; with REQUEST_TIMED_OUT where its sender gave the request up before.
    CompletableFuture<Errors> end(Origin.Marker marker, Optional<MarkerStamp> stamp) {
        var answer = new CompletableFuture<Errors>();
        return turns.run(stamp, () -> store(marker, answer))
                ? answer
                : CompletableFuture.completedFuture(Errors.REQUEST_TIMED_OUT);
    }

    private void store(Origin.Marker marker, CompletableFuture<Errors> answer) {
        ends.ending(marker.producerId());
        appends.append(marker, List.of(), error -> {
            if (error == Errors.NONE) {
                ended(marker.producerId(), marker.commit(), marker.coordinatorEpoch());
            }
            answer.complete(AppendErrors.forTransaction(error));
        });
    }

    /// Says of the offsets that may yet change that they do (KIP-447).
    OffsetFetchResponseGroup withoutUnstable(OffsetFetchResponseGroup answer) {
        answer.topics().forEach(topic -> topic.partitions().stream()
                .filter(partition -> pending().has(answer.groupId(), topic.name(), partition.partitionIndex()))
                .forEach(TransactionalOffsets::unstable));
        return answer;
    }

    private static void unstable(OffsetFetchResponsePartitions partition) {
        partition.setCommittedOffset(NO_OFFSET).setCommittedLeaderEpoch(-1).setMetadata("")
                .setErrorCode(Errors.UNSTABLE_OFFSET_COMMIT.code());
    }
}
