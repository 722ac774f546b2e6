package io.millrace.admin.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.NodeHttp;
import io.millrace.metadata.image.NodeImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/// Clients of the Kafka protocol, as the nodes that they are connected to know them.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/clients", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Clusters")
class ClientController {
    private final Cluster cluster;
    private final NodeHttp nodes;
    private final Links links;

    /// Clients of one kind at one listener.
    ///
    /// @param type `BROKER` or `COORDINATOR`
    /// @param softwareName as they call themselves
    /// @param connections that they have there now
    /// @param nodeDeprecatedApiUse versions of requests that Kafka 4 does not know any more, which anyone has sent to that node
    ///     since it began
    record KafkaClients(String kind, ResourceMetadata metadata, String clusterId, String type, int id, String listener,
            String softwareName, String softwareVersion, int connections, List<ApiUse> nodeDeprecatedApiUse) {}

    record ApiUse(String api, int version, long requests) {}

    @GetMapping
    @Operation(summary = "List the clients that are connected", description = "By node, listener and software, of nodes that answer; "
            + "nodes of the cluster are clients of each other too. `software` is the whole name.")
    ResourceList<KafkaClients> list(@PathVariable String clusterId,
            @RequestParam(required = false) @Nullable String software) {
        var image = cluster.image(clusterId);
        var asked = new LinkedHashMap<NodeImage, CompletableFuture<Optional<JsonNode>>>();
        image.liveBrokers().forEach(node -> asked.put(node, nodes.get(node, "/clients")));
        image.liveCoordinators().forEach(node -> asked.put(node, nodes.get(node, "/clients")));
        var rows = new ArrayList<KafkaClients>();
        asked.forEach((node, answer) -> answer.join().ifPresent(told -> told.path("clients").forEach(client -> {
            var name = client.path("software").asString("");
            if (software == null || software.equals(name)) {
                rows.add(row(clusterId, node, client, deprecated(told)));
            }
        })));
        return ResourceList.whole("KafkaClientsList", links.cluster(clusterId, "clients"), rows);
    }

    private KafkaClients row(String clusterId, NodeImage node, JsonNode client, List<ApiUse> deprecated) {
        var listener = client.path("listener").asString("");
        var name = client.path("software").asString("");
        var version = client.path("version").asString("");
        return new KafkaClients("KafkaClients", links.metadata(clusterId, new Object[]{"service", node.role() + "-"
                + node
                        .id(), "listener", listener, "client", name + "-" + version}, "clients"), clusterId, node.role()
                                .name(),
                node.id(), listener, name, version, client.path("connections").asInt(0), deprecated);
    }

    private static List<ApiUse> deprecated(JsonNode told) {
        return told.path("apis").valueStream().filter(api -> api.path("deprecated").asBoolean(false)).map(
                api -> new ApiUse(api.path("api").asString(""), api.path("version").asInt(0), api.path("requests")
                        .asLong(
                                0))).toList();
    }
}
