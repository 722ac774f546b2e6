package io.millrace.admin.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.TopicImage;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.jspecify.annotations.Nullable;

/// Reads configurations where they are in force: those of a topic from any broker, a broker's from itself.
@RequiredArgsConstructor
@Slf4j
final class ConfigReader {
    private final Cluster cluster;
    private final Links links;

    ResourceList<KafkaConfig> list(String clusterId, NodeImage node, ConfigOwner owner) {
        var configs = describe(clusterId, node, owner, null).toList();
        return ResourceList.whole(owner.kind() + "List", links.cluster(clusterId, owner.path()), configs);
    }

    KafkaConfig get(String clusterId, NodeImage node, ConfigOwner owner, String name) {
        return describe(clusterId, node, owner, List.of(name)).findFirst()
                .orElseThrow(() -> Problem.notFound("Config " + name + " cannot be found for " + owner.kind() + " "
                        + owner.name() + "."));
    }

    /// What was set for each topic.
    ResourceList<KafkaConfig> ofTopics(ClusterImage image) {
        var set = image.topics().all().stream()
                .filter(topic -> !image.topicConfig(topic.name()).isEmpty())
                .sorted(Comparator.comparing(TopicImage::name))
                .toList();
        if (set.isEmpty()) {
            return ResourceList.whole("KafkaTopicConfigList", links.cluster(image.clusterId(), "topics", "-",
                    "configs"), List.of());
        }
        var node = cluster.anyBroker();
        var configs = set.stream()
                .flatMap(topic -> describe(image.clusterId(), node, new ConfigOwner.Topic(topic.name()),
                        image.topicConfig(topic.name()).keySet().stream().sorted().toList()))
                .toList();
        return ResourceList.whole("KafkaTopicConfigList", links.cluster(image.clusterId(), "topics", "-", "configs"),
                configs);
    }

    /// Of every broker that answers: a dead one does not empty the answer.
    ResourceList<KafkaConfig> ofBrokers(ClusterImage image) {
        var configs = image.liveBrokers().stream().flatMap(broker -> {
            try {
                return describe(image.clusterId(), broker, new ConfigOwner.Broker(broker.id()), null);
            } catch (RuntimeException failure) {
                log.warn("event=describe-configs-failed broker={} cause=\"{}\"", broker.id(), failure.toString());
                return Stream.empty();
            }
        }).toList();
        return ResourceList.whole("KafkaBrokerConfigList", links.cluster(image.clusterId(), "brokers", "-", "configs"),
                configs);
    }

    private Stream<KafkaConfig> describe(String clusterId, NodeImage node, ConfigOwner owner,
            @Nullable List<String> names) {
        var resource = new DescribeConfigsResource().setResourceType(owner.type().id()).setResourceName(owner.name())
                .setConfigurationKeys(names);
        var request = new DescribeConfigsRequestData().setResources(List.of(resource)).setIncludeSynonyms(true);
        var result = Cluster.join(cluster.<DescribeConfigsResponseData>ask(node, request)).results().getFirst();
        KafkaProblems.check(result.errorCode(), result.errorMessage());
        return result.configs().stream().map(entry -> {
            var crn = new Object[]{owner.type().name().toLowerCase(java.util.Locale.ROOT), owner.name(), "config",
                    entry.name()};
            var path = Stream.concat(Stream.of(owner.path()), Stream.of(entry.name())).toArray();
            return KafkaConfig.of(owner, links.metadata(clusterId, crn, path), clusterId, entry);
        });
    }
}
