package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData.ListPartitionReassignmentsTopics;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingPartitionReassignment;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingTopicReassignment;
import org.apache.kafka.common.protocol.ApiKeys;

/// ListPartitionReassignments, from the image: partitions that are on their way to other brokers. What is unknown or stays
/// where it is does not appear.
final class ListPartitionReassignmentsHandler
        implements
            ApiHandler<ListPartitionReassignmentsRequestData, ListPartitionReassignmentsResponseData> {
    private final Supplier<ClusterImage> images;

    ListPartitionReassignmentsHandler(Supplier<ClusterImage> images) {
        this.images = images;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_PARTITION_REASSIGNMENTS;
    }

    @Override
    public CompletableFuture<ListPartitionReassignmentsResponseData> handle(
            ListPartitionReassignmentsRequestData request, RequestContext context) {
        var image = images.get();
        List<ListPartitionReassignmentsTopics> asked = request.topics();
        var moving = asked == null
                ? image.topics().all().stream().map(topic -> moving(topic, topic.partitions().stream()))
                : asked.stream().flatMap(topic -> asked(topic, image));
        return CompletableFuture.completedFuture(new ListPartitionReassignmentsResponseData().setTopics(new ArrayList<>(
                moving.filter(topic -> !topic.partitions().isEmpty()).toList())));
    }

    private static Stream<OngoingTopicReassignment> asked(ListPartitionReassignmentsTopics asked, ClusterImage image) {
        return image.topic(asked.name()).stream().map(topic -> moving(topic, asked.partitionIndexes()
                .stream()
                .distinct()
                .flatMap(partition -> topic.partition(partition).stream())));
    }

    private static OngoingTopicReassignment moving(TopicImage topic, Stream<PartitionImage> partitions) {
        return new OngoingTopicReassignment().setName(topic.name()).setPartitions(partitions
                .filter(PartitionImage::isMoving)
                .map(partition -> new OngoingPartitionReassignment().setPartitionIndex(partition.partition())
                        .setReplicas(partition.replicas())
                        .setAddingReplicas(partition.adding())
                        .setRemovingReplicas(partition.removing()))
                .toList());
    }
}
