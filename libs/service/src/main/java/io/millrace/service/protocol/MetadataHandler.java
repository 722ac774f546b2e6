package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.PartitionView.Reader;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// Metadata: the first call of every client. A topic that is not there is created where the client and the settings
/// allow it; the answer waits for that for a bounded time.
final class MetadataHandler implements ApiHandler<MetadataRequestData, MetadataResponseData> {
    private static final int FIRST_WITH_TOPIC_IDS = 12;

    private final Supplier<ClusterImage> images;
    private final AutoCreation creation;

    MetadataHandler(Supplier<ClusterImage> images, AutoCreation creation) {
        this.images = images;
        this.creation = creation;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.METADATA;
    }

    @Override
    public CompletableFuture<MetadataResponseData> handle(MetadataRequestData request, RequestContext context) {
        if (wantsAll(request, context.version())) {
            return CompletableFuture.completedFuture(all(request, context));
        }
        checkNames(request, context.version());
        return creation.create(missing(request)).thenApply(failed -> named(request, context, failed));
    }

    /// No list means all topics; before there was a "no list", an empty one did.
    private static boolean wantsAll(MetadataRequestData request, short version) {
        return request.topics() == null || (version == 0 && request.topics().isEmpty());
    }

    private static void checkNames(MetadataRequestData request, short version) {
        if (version >= FIRST_WITH_TOPIC_IDS) {
            return;
        }
        for (var topic : request.topics()) {
            if (topic.name() == null) {
                throw new Refused(Errors.INVALID_REQUEST, "Topic name can not be null for version " + version);
            }
            if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
                throw new Refused(Errors.INVALID_REQUEST,
                        "Topic IDs are not supported in requests for version " + version);
            }
        }
    }

    private List<String> missing(MetadataRequestData request) {
        if (!request.allowAutoTopicCreation()) {
            return List.of();
        }
        var image = images.get();
        return request.topics().stream().filter(MetadataHandler::isNamed).map(MetadataRequestTopic::name)
                .filter(name -> image.topic(name).isEmpty() && TopicNames.problem(name).isEmpty()).distinct().toList();
    }

    private static boolean isNamed(MetadataRequestTopic topic) {
        return topic.name() != null && topic.topicId().equals(Uuid.ZERO_UUID);
    }

    private MetadataResponseData all(MetadataRequestData request, RequestContext context) {
        var image = images.get();
        var answer = answer(image, request, context);
        for (var topic : image.topics().all()) {
            answer.topics().add(found(image, topic, request, context));
        }
        return answer;
    }

    private MetadataResponseData named(MetadataRequestData request, RequestContext context,
            Map<String, Errors> failed) {
        var image = images.get();
        var answer = answer(image, request, context);
        var topics = new LinkedHashMap<Object, MetadataResponseTopic>();
        for (var asked : request.topics()) {
            topics.computeIfAbsent(isNamed(asked) ? asked.name() : asked.topicId(),
                    _ -> isNamed(asked)
                            ? byName(image, asked.name(), request, context, failed)
                            : byId(image, asked.topicId(), request, context));
        }
        topics.values().forEach(answer.topics()::add);
        return answer;
    }

    private static MetadataResponseTopic byName(ClusterImage image, String name, MetadataRequestData request,
            RequestContext context, Map<String, Errors> failed) {
        return image.topic(name).map(topic -> found(image, topic, request, context)).orElseGet(() -> {
            var error = TopicNames.problem(name).isPresent()
                    ? Errors.INVALID_TOPIC_EXCEPTION
                    : failed.getOrDefault(name, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            return new MetadataResponseTopic().setErrorCode(error.code()).setName(name)
                    .setIsInternal(Topic.isInternal(name));
        });
    }

    private static MetadataResponseTopic byId(ClusterImage image, Uuid id, MetadataRequestData request,
            RequestContext context) {
        return image.topic(TopicIds.fromKafka(id)).map(topic -> found(image, topic, request, context))
                .orElseGet(() -> new MetadataResponseTopic().setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()).setName(null)
                        .setTopicId(id));
    }

    private static MetadataResponseTopic found(ClusterImage image, TopicImage topic, MetadataRequestData request,
            RequestContext context) {
        var reader = Reader.ofMetadata(context.listener(), context.version());
        var partitions = new ArrayList<MetadataResponsePartition>(topic.partitions().size());
        for (var partition : topic.partitions()) {
            var view = PartitionView.of(image, topic.id(), partition, reader);
            partitions.add(new MetadataResponsePartition().setErrorCode(view.error().code())
                    .setPartitionIndex(partition.partition()).setLeaderId(view.leader())
                    .setLeaderEpoch(partition.leaderEpoch()).setReplicaNodes(view.replicas()).setIsrNodes(view.isr())
                    .setOfflineReplicas(view.offline()));
        }
        return new MetadataResponseTopic().setName(topic.name()).setTopicId(TopicIds.toKafka(topic.id()))
                .setIsInternal(Topic.isInternal(topic.name())).setPartitions(partitions)
                .setTopicAuthorizedOperations(request.includeTopicAuthorizedOperations()
                        ? AuthorizedOperations.OF_TOPIC
                        : AuthorizedOperations.NOT_ASKED);
    }

    private static MetadataResponseData answer(ClusterImage image, MetadataRequestData request,
            RequestContext context) {
        var answer = new MetadataResponseData().setClusterId(image.clusterId().isEmpty() ? null : image.clusterId())
                .setControllerId(ListedNode.controllerId(image, context.listener()))
                .setClusterAuthorizedOperations(request.includeClusterAuthorizedOperations()
                        ? AuthorizedOperations.OF_CLUSTER
                        : AuthorizedOperations.NOT_ASKED);
        for (var node : ListedNode.all(image, context.listener())) {
            answer.brokers().add(new MetadataResponseBroker().setNodeId(node.id()).setHost(node.host())
                    .setPort(node.port()).setRack(node.rack()));
        }
        return answer;
    }
}
