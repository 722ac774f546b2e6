package io.millrace.service.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.PartitionView.Reader;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// DescribeTopicPartitions (KIP-966): topics in the order of their names, a bounded number of partitions an answer, and a
/// cursor to go on from.
final class DescribeTopicPartitionsHandler
        implements
            ApiHandler<DescribeTopicPartitionsRequestData, DescribeTopicPartitionsResponseData> {
    private final Supplier<ClusterImage> images;
    private final int mostPartitions;

    /// @param mostPartitions of one answer, whatever the client asks for
    DescribeTopicPartitionsHandler(Supplier<ClusterImage> images, int mostPartitions) {
        this.images = images;
        this.mostPartitions = mostPartitions;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public CompletableFuture<DescribeTopicPartitionsResponseData> handle(DescribeTopicPartitionsRequestData request,
            RequestContext context) {
        var cursor = request.cursor();
        if (cursor != null && cursor.partitionIndex() < 0) {
            throw new Refused(Errors.INVALID_REQUEST,
                    "DescribeTopicPartitionsRequest cursor partition must be valid: " + cursor);
        }
        var image = images.get();
        boolean all = request.topics().isEmpty();
        var names = names(request, image, cursor == null ? "" : cursor.topicName());
        int left = Math.clamp(request.responsePartitionLimit(), 1, mostPartitions);
        var answer = new DescribeTopicPartitionsResponseData();
        for (var name : names) {
            if (left == 0) {
                answer.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(0));
                break;
            }
            int from = cursor != null && name.equals(cursor.topicName()) ? cursor.partitionIndex() : 0;
            var topic = image.topic(name).orElse(null);
            if (topic == null || from >= topic.partitions().size()) {
                add(answer, name, topic, all);
                continue;
            }
            int to = Math.min(topic.partitions().size(), from + left);
            answer.topics().add(describe(image, topic, from, to, context.listener()));
            left -= to - from;
            if (to < topic.partitions().size()) {
                answer.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(to));
                break;
            }
        }
        return CompletableFuture.completedFuture(answer);
    }

    private static List<String> names(DescribeTopicPartitionsRequestData request, ClusterImage image, String from) {
        Stream<String> names = request.topics().isEmpty()
                ? image.topics().all().stream().map(TopicImage::name)
                : request.topics().stream().map(TopicRequest::name);
        return names.filter(name -> name.compareTo(from) >= 0).distinct().sorted(Comparator.naturalOrder()).toList();
    }

    /// A topic without a partition to tell of: unknown, not allowed, or read to its end by an earlier answer.
    private static void add(DescribeTopicPartitionsResponseData answer, String name, @Nullable TopicImage topic,
            boolean all) {
        if (topic == null && !all) {
            var error = TopicNames.problem(name).isPresent()
                    ? Errors.INVALID_TOPIC_EXCEPTION
                    : Errors.UNKNOWN_TOPIC_OR_PARTITION;
            answer.topics().add(new DescribeTopicPartitionsResponseTopic().setErrorCode(error.code()).setName(name)
                    .setIsInternal(Topic.isInternal(name)));
        }
    }

    private static DescribeTopicPartitionsResponseTopic describe(ClusterImage image, TopicImage topic, int from,
            int to, String listener) {
        var reader = new Reader(listener, false, true);
        var partitions = topic.partitions().subList(from, to).stream()
                .map(partition -> PartitionView.of(image, topic.id(), partition, reader))
                .map(view -> new DescribeTopicPartitionsResponsePartition().setErrorCode(view.error().code())
                        .setPartitionIndex(view.partition().partition()).setLeaderId(view.leader())
                        .setLeaderEpoch(view.partition().leaderEpoch()).setReplicaNodes(view.replicas())
                        .setIsrNodes(view.isr()).setEligibleLeaderReplicas(view.partition().elr().stream().map(
                                EligibleReplica::broker).toList()).setLastKnownElr(List.of())
                        .setOfflineReplicas(view.offline()))
                .toList();
        return new DescribeTopicPartitionsResponseTopic().setName(topic.name())
                .setTopicId(TopicIds.toKafka(topic.id())).setIsInternal(Topic.isInternal(topic.name()))
                .setPartitions(partitions).setTopicAuthorizedOperations(AuthorizedOperations.OF_TOPIC);
    }
}
