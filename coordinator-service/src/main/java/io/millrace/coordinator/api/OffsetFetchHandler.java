package io.millrace.coordinator.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;

/// OffsetFetch: one group up to version 7, several from version 8 on, topics by id from version 10 on.
public final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequestData, OffsetFetchResponseData> {
    private static final int FIRST_WITH_GROUPS = 8;
    private static final int FIRST_WITH_TOPIC_IDS = 10;

    private final OwnedShards<GroupShard> shards;
    private final Supplier<ClusterImage> image;

    public OffsetFetchHandler(OwnedShards<GroupShard> shards, Supplier<ClusterImage> image) {
        this.shards = shards;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public CompletableFuture<OffsetFetchResponseData> handle(OffsetFetchRequestData request, RequestContext context) {
        if (context.version() < FIRST_WITH_GROUPS) {
            return fetch(singleGroup(request), request.requireStable()).thenApply(OffsetFetchHandler::singleAnswer);
        }
        boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
        var answers = request.groups().stream().map(group -> (byId
                ? fetchById(group, request.requireStable())
                : fetch(group, request.requireStable()))
                .exceptionally(failure -> new OffsetFetchResponseGroup().setGroupId(group.groupId())
                        .setErrorCode(Failures.errorOf(failure).code())))
                .toList();
        return GroupIds.all(answers).thenApply(groups -> new OffsetFetchResponseData().setGroups(groups));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetch(OffsetFetchRequestGroup group, boolean stable) {
        return shards.onKey(group.groupId(), shard -> shard.fetch(group, stable));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetchById(OffsetFetchRequestGroup group, boolean stable) {
        var topics = new TopicIds(image.get());
        var unknown = topics.name(group);
        return fetch(group, stable).thenApply(answer -> {
            topics.identify(answer);
            answer.topics().addAll(unknown);
            return answer;
        });
    }

    private static OffsetFetchRequestGroup singleGroup(OffsetFetchRequestData request) {
        var topics = request.topics() == null
                ? null
                : request.topics().stream().map(topic -> new OffsetFetchRequestTopics().setName(topic.name())
                        .setPartitionIndexes(topic.partitionIndexes())).toList();
        return new OffsetFetchRequestGroup().setGroupId(request.groupId()).setTopics(topics);
    }

    private static OffsetFetchResponseData singleAnswer(OffsetFetchResponseGroup group) {
        return new OffsetFetchResponseData().setErrorCode(group.errorCode())
                .setTopics(group.topics().stream().map(OffsetFetchHandler::singleAnswer).toList());
    }

    private static OffsetFetchResponseTopic singleAnswer(OffsetFetchResponseTopics topic) {
        List<OffsetFetchResponsePartition> partitions = topic.partitions().stream()
                .map(OffsetFetchHandler::singleAnswer).toList();
        return new OffsetFetchResponseTopic().setName(topic.name()).setPartitions(partitions);
    }

    private static OffsetFetchResponsePartition singleAnswer(OffsetFetchResponsePartitions partition) {
        return new OffsetFetchResponsePartition().setPartitionIndex(partition.partitionIndex())
                .setCommittedOffset(partition.committedOffset())
                .setCommittedLeaderEpoch(partition.committedLeaderEpoch()).setMetadata(partition.metadata())
                .setErrorCode(partition.errorCode());
    }
}
