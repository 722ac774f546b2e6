package io.millrace.broker.fetch;

import java.util.ArrayList;
import java.util.List;

import io.millrace.broker.fetch.FetchRead.Watched;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRead;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReadFrom;
import io.millrace.broker.partition.ReadLimit;
import io.millrace.log.PartitionLog;
import io.millrace.wire.codec.FileSlice;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// Looks once at all partitions of a fetch, in their order, without waiting. The first one that has records gives at
/// least a whole batch however large; the others share what is left of the bytes.
final class FetchReader {
    private static final short FIRST_VERSION_WITH_ZSTD = 10;
    private static final short FIRST_VERSION_WITH_LEADERS = 16;

    private final PartitionRegistry partitions;
    private final LeaderHints hints;
    private final ClosestReplica closest;

    FetchReader(PartitionRegistry partitions, LeaderHints hints, ClosestReplica closest) {
        this.partitions = partitions;
        this.hints = hints;
        this.closest = closest;
    }

    FetchRead read(List<FetchItem> items, FetchScope scope) {
        var look = new Look(scope, items.size());
        items.forEach(look::at);
        return look.found();
    }

    /// One look while it is under way.
    private final class Look {
        private final FetchScope scope;
        private final List<Answered> answers;
        private final List<Watched> watched;
        private final List<FileSlice> slices = new ArrayList<>();
        private long bytes;
        private boolean urgent;

        Look(FetchScope scope, int size) {
            this.scope = scope;
            this.answers = new ArrayList<>(size);
            this.watched = new ArrayList<>(size);
        }

        FetchRead found() {
            return new FetchRead(answers, bytes, urgent, watched, () -> slices.forEach(FileSlice::release));
        }

        void at(FetchItem item) {
            Partition partition = null;
            PartitionData data;
            try {
                partition = find(item.key(), item.topic());
                var progress = partition.progress(scope.limit());
                long stamp = progress.stamp();
                data = answer(partition, item);
                watched.add(new Watched(progress, stamp));
            } catch (RuntimeException failure) {
                data = refused(item, failure);
                urgent = true;
            }
            answers.add(new Answered(item, partition, data));
        }

        private Partition find(FetchKey key, String name) {
            return key.byId()
                    ? partitions.find(key.topicId(), name, key.partition())
                    : partitions.find(key.topic(), key.partition());
        }

        private PartitionData answer(Partition partition, FetchItem item) {
            var from = new ReadFrom(item.fetchOffset(), item.currentLeaderEpoch(), item.lastFetchedEpoch(), scope
                    .source());
            refuseZstd(partition.log(from));
            var better = closest.of(partition, item.fetchOffset(), scope.rack());
            int room = (int) Math.max(0, Math.min(item.maxBytes(), scope.maxBytes() - bytes));
            var read = better.isPresent()
                    ? partition.look(from)
                    : partition.read(from, room, bytes == 0, scope.limit());
            var data = new PartitionData().setPartitionIndex(item.key().partition())
                    .setHighWatermark(read.highWatermark())
                    .setLastStableOffset(read.lastStableOffset())
                    .setLogStartOffset(read.logStartOffset())
                    .setAbortedTransactions(scope.limit() == ReadLimit.LAST_STABLE ? aborted(read) : null);
            tellDivergence(read, data);
            better.ifPresent(replica -> {
                data.setPreferredReadReplica(replica);
                urgent = true;
            });
            var slice = read.slice();
            if (slice == null) {
                return data.setRecords(MemoryRecords.EMPTY);
            }
            var records = new FileSlice(slice.channel(), slice.position(), slice.size(), slice::close);
            slices.add(records);
            bytes += slice.size();
            return data.setRecords(records);
        }

        private static List<AbortedTransaction> aborted(PartitionRead read) {
            return read.aborted().stream().map(each -> new AbortedTransaction().setProducerId(each.producerId())
                    .setFirstOffset(each.firstOffset())).toList();
        }

        /// A client that cannot know zstd must not be sent any (KIP-110).
        private void refuseZstd(PartitionLog partitionLog) {
            var codec = partitionLog.config().batch().codec();
            if (scope.version() < FIRST_VERSION_WITH_ZSTD && codec != null && codec.type() == CompressionType.ZSTD) {
                throw new Refused(Errors.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Fetch version 10");
            }
        }

        private void tellDivergence(PartitionRead read, PartitionData data) {
            var diverging = read.diverging();
            if (diverging != null) {
                data.setDivergingEpoch(new EpochEndOffset().setEpoch(diverging.epoch())
                        .setEndOffset(diverging.endOffset()));
                urgent = true;
            }
        }

        private PartitionData refused(FetchItem item, Throwable failure) {
            var error = PartitionFailures.errorOf(failure, "fetch", item.topic(), item.key().partition());
            var data = new PartitionData().setPartitionIndex(item.key().partition())
                    .setErrorCode(error.code())
                    .setHighWatermark(-1)
                    .setRecords(MemoryRecords.EMPTY);
            if (scope.version() >= FIRST_VERSION_WITH_LEADERS && LeaderHints.helps(error)) {
                hints.of(item.key().topic(), item.key().topicId(), item.key().partition(), scope.listener())
                        .ifPresent(hint -> data.setCurrentLeader(new LeaderIdAndEpoch().setLeaderId(hint.leader())
                                .setLeaderEpoch(hint.leaderEpoch())));
            }
            return data;
        }
    }
}
