package io.millrace.admin.drift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.millrace.admin.drift.Drift.Found;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.ConfigSources;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Settings that are not what they should be, and what is declared that they should be.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Configs")
@Slf4j
class ConfigDriftController {
    private final Cluster cluster;
    private final Baselines baselines;
    private final Links links;

    /// @param reason `BETWEEN_BROKERS`, `STATIC_AND_DYNAMIC` or `BASELINE`
    /// @param topicName null where it is a setting of brokers
    /// @param expected what was declared, or what the broker was started with; null where brokers only differ
    /// @param values that were found; none where there is no such setting or topic
    record KafkaConfigDrift(String kind, ResourceMetadata metadata, String clusterId, String reason,
            @Nullable String topicName, String name, @Nullable String expected, List<Value> values) {

        /// @param brokerId null where it is a topic's
        record Value(@Nullable Integer brokerId, @Nullable String value, String source) {}
    }

    @GetMapping("/config-drift")
    @Operation(summary = "List settings that are not what they should be", description = "That brokers do not agree on, that were "
            + "changed while a broker runs and would be lost with that change, or that are not as declared. Of brokers that "
            + "answer. `scope` is `brokers`, `topics` or `all`.")
    ResourceList<KafkaConfigDrift> drift(@PathVariable String clusterId,
            @RequestParam(defaultValue = "all") String scope) {
        var image = cluster.image(clusterId);
        boolean brokers = !scope.equals("topics");
        boolean topics = !scope.equals("brokers");
        if (brokers && topics && !scope.equals("all")) {
            throw Problem.badRequest("'" + Problem.shown(scope) + "' is not a value of scope: brokers, topics or all");
        }
        var baseline = baselines.find().orElse(Baseline.NONE);
        var rows = new ArrayList<Drift.Row>();
        if (brokers) {
            rows.addAll(Drift.ofBrokers(ofBrokers(image), baseline.ofBrokers()));
        }
        if (topics) {
            new TreeMap<>(baseline.ofTopics()).forEach((topic, declared) -> rows.addAll(Drift.ofTopic(topic, ofTopic(
                    image, topic), declared)));
        }
        return ResourceList.whole("KafkaConfigDriftList", links.cluster(clusterId, "config-drift"), rows.stream().map(
                row -> shown(clusterId, row)).toList());
    }

    @GetMapping("/config-baseline")
    @Operation(summary = "What settings are declared to be", description = "404 where nothing is declared.")
    Baseline baseline(@PathVariable String clusterId) {
        cluster.image(clusterId);
        return baselines.find().orElseThrow(() -> Problem.notFound("No baseline is declared."));
    }

    @PutMapping("/config-baseline")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Declare what settings should be", description = "Nothing is changed by it: `config-drift` lists what "
            + "differs.")
    @ApiResponse(responseCode = "204", description = "Declared")
    @ApiResponse(responseCode = "413", ref = "#/components/responses/TooLarge")
    void declare(@PathVariable String clusterId, @Valid @RequestBody Baseline baseline) {
        cluster.image(clusterId);
        baselines.put(baseline);
    }

    @DeleteMapping("/config-baseline")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Declare nothing any more")
    void forget(@PathVariable String clusterId) {
        cluster.image(clusterId);
        baselines.delete();
    }

    private Map<Integer, Map<String, Found>> ofBrokers(ClusterImage image) {
        var settings = new TreeMap<Integer, Map<String, Found>>();
        image.liveBrokers().forEach(broker -> {
            try {
                settings.put(broker.id(), describe(broker, ConfigResource.Type.BROKER, Integer.toString(broker.id()),
                        broker.id()));
            } catch (RuntimeException failure) {
                log.warn("event=describe-configs-failed broker={} cause=\"{}\"", broker.id(), failure.toString());
            }
        });
        return settings;
    }

    private Map<String, Found> ofTopic(ClusterImage image, String topic) {
        return image.topic(topic).isEmpty()
                ? Map.of()
                : describe(cluster.anyBroker(), ConfigResource.Type.TOPIC, topic, null);
    }

    private Map<String, Found> describe(NodeImage node, ConfigResource.Type type, String name,
            @Nullable Integer broker) {
        var resource = new DescribeConfigsResource().setResourceType(type.id()).setResourceName(name)
                .setConfigurationKeys(null);
        var told = Cluster.join(cluster.<DescribeConfigsResponseData>ask(node, new DescribeConfigsRequestData()
                .setResources(List.of(resource)).setIncludeSynonyms(true))).results().getFirst();
        KafkaProblems.check(told.errorCode(), told.errorMessage());
        var found = new HashMap<String, Found>();
        told.configs().stream().filter(entry -> !entry.isSensitive()).forEach(entry -> found.put(entry.name(),
                new Found(broker, entry.value(), ConfigSources.name(entry.configSource()), started(entry))));
        return found;
    }

    private static @Nullable String started(DescribeConfigsResourceResult entry) {
        return entry.synonyms().stream().filter(synonym -> synonym.source() == ConfigSource.STATIC_BROKER_CONFIG.id())
                .map(synonym -> synonym.value()).findFirst().orElse(null);
    }

    private KafkaConfigDrift shown(String clusterId, Drift.Row row) {
        var crn = row.topic() == null
                ? new Object[]{"config", row.name()}
                : new Object[]{"topic", row.topic(), "config", row.name()};
        var path = row.topic() == null
                ? new Object[]{"broker-configs", row.name()}
                : new Object[]{"topics", row.topic(), "configs", row.name()};
        return new KafkaConfigDrift("KafkaConfigDrift", links.metadata(clusterId, crn, path), clusterId, row.kind()
                .name(), row.topic(), row.name(), row.expected(), row.values().stream().map(
                        found -> new KafkaConfigDrift.Value(found.broker(), found.value(), found.source())).toList());
    }
}
