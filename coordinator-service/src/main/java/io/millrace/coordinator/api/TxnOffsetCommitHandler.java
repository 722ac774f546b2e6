package io.millrace.coordinator.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.millrace.coordinator.api.TransactionCalls.Word;
import io.millrace.coordinator.offsets.Admission;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.ShardsImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// TxnOffsetCommit: first the transaction's coordinator is asked whether the group's partition is a part of the
/// transaction (for clients of transaction version 2: to make it one), then the offsets go to the group's shard.
public final class TxnOffsetCommitHandler
        implements
            ApiHandler<TxnOffsetCommitRequestData, TxnOffsetCommitResponseData> {
    private static final int FIRST_WITH_TOPIC_IDS = 6;
    private static final int FIRST_THAT_KNOWS_ABORTABLE = 4;

    private final OwnedShards<GroupShard> shards;
    private final TransactionCalls transactions;
    private final Supplier<ClusterImage> image;

    public TxnOffsetCommitHandler(OwnedShards<GroupShard> shards, TransactionCalls transactions,
            Supplier<ClusterImage> image) {
        this.shards = shards;
        this.transactions = transactions;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public CompletableFuture<TxnOffsetCommitResponseData> handle(TxnOffsetCommitRequestData request,
            RequestContext context) {
        TransactionalIds.required(request.transactionalId());
        GroupIds.requireNamed(request.groupId());
        boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
        var known = new ArrayList<OffsetCommitRequestTopic>();
        var unknown = new ArrayList<TxnOffsetCommitResponseTopic>();
        for (var topic : request.topics()) {
            find(topic, byId).ifPresentOrElse(name -> known.add(commit(topic, name)),
                    () -> unknown.add(refused(topic, byId
                            ? Errors.UNKNOWN_TOPIC_ID
                            : Errors.UNKNOWN_TOPIC_OR_PARTITION)));
        }
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(new TxnOffsetCommitResponseData().setTopics(unknown));
        }
        var commit = new OffsetCommitRequestData().setGroupId(request.groupId()).setMemberId(request.memberId())
                .setGroupInstanceId(request.groupInstanceId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch()).setTopics(known);
        return shards.onKey(request.groupId(), shard -> CompletableFuture.completedFuture(shard.leave()))
                .thenCompose(leave -> admitted(request, context).thenCompose(epoch -> shards.onKey(request.groupId(),
                        shard -> shard.commitInTransaction(commit, request.producerId(), request.producerEpoch(),
                                new Admission(leave, epoch)))))
                .thenApply(answer -> {
                    answer.topics().forEach(topic -> unknown.add(answered(topic, byId)));
                    return new TxnOffsetCommitResponseData().setTopics(unknown);
                });
    }

    private Optional<String> find(TxnOffsetCommitRequestTopic topic, boolean byId) {
        var now = image.get();
        return (byId
                ? now.topic(new UUID(topic.topicId().getMostSignificantBits(),
                        topic.topicId().getLeastSignificantBits()))
                : now.topic(topic.name())).map(TopicImage::name);
    }

    /// Completes with the epoch of the coordinator that admits it.
    private CompletableFuture<Integer> admitted(TxnOffsetCommitRequestData request, RequestContext context) {
        var topic = ShardKind.GROUP.topic();
        int partitions = image.get().topic(topic).map(found -> found.partitions().size()).orElse(0);
        if (partitions == 0) {
            return CompletableFuture.failedFuture(new Refused(Errors.COORDINATOR_NOT_AVAILABLE, "no " + topic));
        }
        var partition = new TopicPartition(topic, ShardsImage.shardOf(request.groupId(), partitions));
        boolean add = TransactionVersions.of(api(), context.version()) >= Transaction.EPOCH_BUMPS;
        return transactions.ask(request.transactionalId(), request.producerId(), request.producerEpoch(), partition,
                add).exceptionally(failure -> Word.of(errorOf(failure))).thenCompose(word -> word.error() == Errors.NONE
                        ? CompletableFuture.completedFuture(word.epoch())
                        : CompletableFuture.failedFuture(new Refused(told(word.error(), context.version()),
                                "transactionalId=" + request.transactionalId() + " " + word.error())));
    }

    private static Errors errorOf(Throwable failure) {
        var cause = Failures.cause(failure);
        return cause instanceof IOException || cause instanceof TimeoutException
                ? Errors.COORDINATOR_NOT_AVAILABLE
                : Failures.errorOf(failure);
    }

    /// It is the other coordinator that cannot answer now; a client that took this one for the wrong one would look for it
    /// in vain.
    static Errors told(Errors error, short version) {
        return switch (error) {
            case NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, CONCURRENT_TRANSACTIONS,
                    REQUEST_TIMED_OUT ->
                Errors.COORDINATOR_LOAD_IN_PROGRESS;
            case TRANSACTION_ABORTABLE -> version < FIRST_THAT_KNOWS_ABORTABLE ? Errors.INVALID_TXN_STATE : error;
            case PRODUCER_FENCED -> Errors.INVALID_PRODUCER_EPOCH;
            default -> error;
        };
    }

    private static OffsetCommitRequestTopic commit(TxnOffsetCommitRequestTopic topic, String name) {
        List<OffsetCommitRequestPartition> partitions = topic.partitions().stream()
                .map(partition -> new OffsetCommitRequestPartition().setPartitionIndex(partition.partitionIndex())
                        .setCommittedOffset(partition.committedOffset())
                        .setCommittedLeaderEpoch(partition.committedLeaderEpoch())
                        .setCommittedMetadata(partition.committedMetadata()))
                .toList();
        return new OffsetCommitRequestTopic().setName(name).setTopicId(topic.topicId()).setPartitions(partitions);
    }

    private static TxnOffsetCommitResponseTopic refused(TxnOffsetCommitRequestTopic topic, Errors error) {
        return new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId())
                .setPartitions(topic.partitions().stream().map(partition -> new TxnOffsetCommitResponsePartition()
                        .setPartitionIndex(partition.partitionIndex()).setErrorCode(error.code())).toList());
    }

    private static TxnOffsetCommitResponseTopic answered(OffsetCommitResponseTopic topic, boolean byId) {
        return new TxnOffsetCommitResponseTopic().setName(topic.name())
                .setTopicId(byId ? topic.topicId() : Uuid.ZERO_UUID)
                .setPartitions(topic.partitions().stream().map(partition -> new TxnOffsetCommitResponsePartition()
                        .setPartitionIndex(partition.partitionIndex()).setErrorCode(partition.errorCode())).toList());
    }
}
