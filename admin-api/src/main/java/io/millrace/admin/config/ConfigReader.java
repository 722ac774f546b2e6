package io.millrace.admin.config;

import java.util.List;
import java.util.stream.Stream;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.image.NodeImage;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.jspecify.annotations.Nullable;

/// Reads configurations where they are in force: those of a topic from any broker, a broker's from itself.
@RequiredArgsConstructor
final class ConfigReader {
    private final Cluster cluster;
    private final Links links;

    ResourceList<KafkaConfig> list(String clusterId, NodeImage node, ConfigOwner owner) {
        var configs = describe(clusterId, node, owner, null).toList();
        return ResourceList.whole(owner.kind() + "List", links.cluster(clusterId, owner.path()), configs);
    }

    KafkaConfig get(String clusterId, NodeImage node, ConfigOwner owner, String name) {
        return describe(clusterId, node, owner, name).findFirst()
                .orElseThrow(() -> Problem.notFound("Config " + name + " cannot be found for " + owner.name() + "."));
    }

    private Stream<KafkaConfig> describe(String clusterId, NodeImage node, ConfigOwner owner, @Nullable String name) {
        var resource = new DescribeConfigsResource().setResourceType(owner.type().id()).setResourceName(owner.name())
                .setConfigurationKeys(name == null ? null : List.of(name));
        var request = new DescribeConfigsRequestData().setResources(List.of(resource)).setIncludeSynonyms(true);
        var result = Cluster.join(cluster.<DescribeConfigsResponseData>ask(node, request)).results().getFirst();
        KafkaProblems.check(result.errorCode(), result.errorMessage());
        return result.configs().stream().map(entry -> {
            var names = new Object[]{owner.type().name().toLowerCase(java.util.Locale.ROOT), owner.name(), "config",
                    entry.name()};
            var path = Stream.concat(Stream.of(owner.path()), Stream.of(entry.name())).toArray();
            return KafkaConfig.of(owner, links.metadata(clusterId, names, path), clusterId, entry);
        });
    }
}
