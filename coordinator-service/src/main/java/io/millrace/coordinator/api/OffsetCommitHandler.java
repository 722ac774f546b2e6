package io.millrace.coordinator.api;

import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.coordinator.offsets.OffsetCommits;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// OffsetCommit: topics that are not there are refused here, the rest goes to the shard.
public final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequestData, OffsetCommitResponseData> {
    private static final int FIRST_WITH_TOPIC_IDS = 10;

    private final OwnedShards<GroupShard> shards;
    private final Supplier<ClusterImage> image;

    public OffsetCommitHandler(OwnedShards<GroupShard> shards, Supplier<ClusterImage> image) {
        this.shards = shards;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public CompletableFuture<OffsetCommitResponseData> handle(OffsetCommitRequestData request,
            RequestContext context) {
        boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
        var now = image.get();
        var known = new ArrayList<OffsetCommitRequestTopic>();
        var unknown = new ArrayList<OffsetCommitResponseTopic>();
        for (var topic : request.topics()) {
            var found = byId
                    ? now.topics().topic(new UUID(topic.topicId().getMostSignificantBits(),
                            topic.topicId().getLeastSignificantBits()))
                    : now.topics().topic(topic.name());
            found.map(TopicImage::name).ifPresentOrElse(name -> known.add(topic.setName(name)),
                    () -> unknown.add(OffsetCommits.refused(topic,
                            byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION)));
        }
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(new OffsetCommitResponseData().setTopics(unknown));
        }
        var rest = new OffsetCommitRequestData().setGroupId(request.groupId()).setMemberId(request.memberId())
                .setGroupInstanceId(request.groupInstanceId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch())
                .setRetentionTimeMs(request.retentionTimeMs()).setTopics(known);
        return shards.onKey(request.groupId(), shard -> shard.commit(rest)).thenApply(answer -> {
            answer.topics().addAll(unknown);
            return answer;
        });
    }
}
