package io.millrace.admin.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.transaction.HangingTransactions;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Groups;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Controllers, coordinators, and what nodes speak.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Clusters")
@Slf4j
class NodeController {
    private static final String CLIENT = "millrace-admin";

    private final Cluster cluster;
    private final Groups groups;
    private final HangingTransactions hanging;
    private final Links links;

    /// @param role `ACTIVE` or `STANDBY`
    record KafkaControllerInfo(String kind, ResourceMetadata metadata, String clusterId, int controllerId, String role,
            @Nullable String http, String version) {}

    record CoordinatorGroup(String kind, ResourceMetadata metadata, String clusterId, String consumerGroupId,
            String state, int members, Related group) {}

    /// @param apis null where the node did not answer
    record KafkaNodeApis(String kind, ResourceMetadata metadata, String clusterId, String type, int id,
            @Nullable List<Api> apis) {
        record Api(int key, String name, int min, int max) {}
    }

    /// @param finalized the version that the cluster has agreed on; 0: it is not used
    /// @param supported ranges by node, such as `BROKER-0`
    record KafkaFeature(String kind, ResourceMetadata metadata, String clusterId, String name, int finalized,
            Map<String, Range> supported) {
        record Range(int min, int max) {}
    }

    @GetMapping("/health")
    @Operation(summary = "How the cluster is", description = "By the metadata and by the last look for "
            + "hanging transactions, and why.")
    KafkaClusterHealth health(@PathVariable String clusterId) {
        return KafkaClusterHealth.of(cluster.image(clusterId), cluster.ageMillis(), hanging.count(), links);
    }

    @GetMapping("/controllers")
    @Operation(summary = "List the controllers", description = "One is active, the others stand by.")
    ResourceList<KafkaControllerInfo> controllers(@PathVariable String clusterId) {
        var image = cluster.image(clusterId);
        return ResourceList.whole("KafkaControllerList", links.cluster(clusterId, "controllers"), image.nodes().of(
                Role.CONTROLLER).stream().map(node -> new KafkaControllerInfo("KafkaControllerInfo", links.metadata(
                        clusterId, new Object[]{"controller", node.id()}, "controllers"), clusterId, node.id(), node
                                .id() == image.controllerId() ? "ACTIVE" : "STANDBY", node.http(), node
                                        .softwareVersion())).toList());
    }

    @GetMapping("/coordinators")
    @Operation(summary = "List the coordinators and the shards of groups that each owns")
    ResourceList<KafkaCoordinator> coordinators(@PathVariable String clusterId) {
        var image = cluster.image(clusterId);
        return ResourceList.whole("KafkaCoordinatorList", links.cluster(clusterId, "coordinators"), image.nodes().of(
                Role.COORDINATOR).stream().map(node -> KafkaCoordinator.of(image, node, links)).toList());
    }

    @GetMapping("/coordinators/{coordinatorId}")
    @Operation(summary = "Describe a coordinator")
    KafkaCoordinator coordinator(@PathVariable String clusterId, @PathVariable int coordinatorId) {
        return KafkaCoordinator.of(cluster.image(clusterId), node(clusterId, coordinatorId), links);
    }

    @GetMapping("/coordinators/{coordinatorId}/groups")
    @Operation(summary = "List the groups of a coordinator")
    ResourceList<CoordinatorGroup> groups(@PathVariable String clusterId, @PathVariable int coordinatorId) {
        node(clusterId, coordinatorId);
        return ResourceList.whole("KafkaCoordinatorGroupList", links.cluster(clusterId, "coordinators", coordinatorId,
                "groups"), groups.list().stream().filter(owned -> owned.coordinator() == coordinatorId).map(owned -> {
                    var id = owned.group().id();
                    return new CoordinatorGroup("KafkaCoordinatorGroup", links.metadata(clusterId, new Object[]{
                            "consumer-group", id}, "consumer-groups", id), clusterId, id, owned.group().state(),
                            owned.group().members().size(), links.related(clusterId, "consumer-groups", id));
                }).toList());
    }

    @GetMapping("/api-versions")
    @Operation(summary = "Which APIs of the Kafka protocol each node speaks")
    ResourceList<KafkaNodeApis> apiVersions(@PathVariable String clusterId) {
        cluster.image(clusterId);
        var told = new ArrayList<KafkaNodeApis>();
        ask().forEach((node, answer) -> told.add(new KafkaNodeApis("KafkaNodeApis", links.metadata(clusterId,
                new Object[]{"service", node.role() + "-" + node.id()}, "api-versions"), clusterId, node.role().name(),
                node.id(), answer == null ? null : apis(answer))));
        return ResourceList.whole("KafkaNodeApisList", links.cluster(clusterId, "api-versions"), told);
    }

    private static List<KafkaNodeApis.Api> apis(ApiVersionsResponseData answer) {
        return answer.apiKeys().stream()
                .map(api -> new KafkaNodeApis.Api(api.apiKey(), ApiKeys.hasId(api.apiKey())
                        ? ApiKeys.forId(api.apiKey()).name
                        : "unknown", api.minVersion(), api.maxVersion()))
                .toList();
    }

    @GetMapping("/features")
    @Operation(summary = "Which features are finalized, and which versions of them each node supports")
    ResourceList<KafkaFeature> features(@PathVariable String clusterId) {
        cluster.image(clusterId);
        var finalized = new LinkedHashMap<String, Integer>();
        var supported = new java.util.TreeMap<String, Map<String, KafkaFeature.Range>>();
        ask().forEach((node, answer) -> {
            if (answer != null) {
                answer.supportedFeatures().forEach(feature -> supported.computeIfAbsent(feature.name(),
                        _ -> new LinkedHashMap<>()).put(node.role() + "-" + node.id(), new KafkaFeature.Range(feature
                                .minVersion(), feature.maxVersion())));
                answer.finalizedFeatures().forEach(feature -> finalized.merge(feature.name(), (int) feature
                        .maxVersionLevel(), Math::max));
            }
        });
        return ResourceList.whole("KafkaFeatureList", links.cluster(clusterId, "features"), supported.entrySet()
                .stream()
                .map(feature -> new KafkaFeature("KafkaFeature", links.metadata(clusterId, new Object[]{"feature",
                        feature.getKey()}, "features"), clusterId, feature.getKey(), finalized.getOrDefault(feature
                                .getKey(), 0), feature.getValue()))
                .toList());
    }

    /// What brokers and coordinators say; null of one that does not answer.
    private Map<NodeImage, @Nullable ApiVersionsResponseData> ask() {
        var asked = new LinkedHashMap<NodeImage, CompletableFuture<ApiVersionsResponseData>>();
        var nodes = new ArrayList<>(cluster.image().liveBrokers());
        nodes.addAll(cluster.image().liveCoordinators());
        nodes.forEach(node -> asked.put(node, cluster.ask(node, new ApiVersionsRequestData().setClientSoftwareName(
                CLIENT).setClientSoftwareVersion("1"))));
        var told = new LinkedHashMap<NodeImage, @Nullable ApiVersionsResponseData>();
        asked.forEach((node, answer) -> {
            try {
                told.put(node, Cluster.join(answer));
            } catch (RuntimeException failure) {
                log.warn("event=api-versions-failed node={}-{} cause=\"{}\"", node.role(), node.id(), failure
                        .toString());
                told.put(node, null);
            }
        });
        return told;
    }

    private NodeImage node(String clusterId, int coordinatorId) {
        return cluster.image(clusterId).coordinator(coordinatorId).orElseThrow(() -> Problem.notFound("Coordinator "
                + coordinatorId + " cannot be found."));
    }
}
