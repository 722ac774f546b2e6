package io.millrace.admin.history;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ConfigType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// What configurations were, and the way back.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/config-history", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Configs")
class ConfigHistoryController {
    private final Cluster cluster;
    private final ConfigHistory history;
    private final Links links;

    /// @param at when it was seen
    /// @param resourceType `TOPIC`, `BROKER` or `GROUP`
    /// @param resourceName `<default>` of a broker's where it is all brokers
    /// @param principal who changed it; null where that is not known
    /// @param before values of the changed settings; one that was not set is not in it
    /// @param after their values since; one that was reset is not in it
    record KafkaConfigChange(String kind, ResourceMetadata metadata, String clusterId, String changeId, Instant at,
            long metadataOffset, String resourceType, String resourceName, @Nullable String principal,
            Map<String, String> before, Map<String, String> after) {}

    @GetMapping
    @Operation(summary = "List changes of configurations", description = "The newest first, of topics, brokers and groups; kept "
            + "for 30 days, at most 1000. `resource` is like `topic:orders`, `broker:0`, `broker:<default>` or `group:shop`; "
            + "`since` like `2026-01-31T12:00:00Z`.")
    ResourceList<KafkaConfigChange> list(@PathVariable String clusterId,
            @RequestParam(required = false) @Nullable String resource,
            @RequestParam(required = false) @Nullable String since) {
        cluster.image(clusterId);
        var wanted = ofResource(resource).and(since(since));
        List<KafkaConfigChange> found = history.all().reversed().stream().filter(wanted).map(change -> shown(clusterId,
                change)).toList();
        return ResourceList.whole("KafkaConfigChangeList", links.cluster(clusterId, "config-history"), found);
    }

    @GetMapping("/{changeId}")
    @Operation(summary = "Describe a change of a configuration")
    KafkaConfigChange get(@PathVariable String clusterId, @PathVariable String changeId) {
        cluster.image(clusterId);
        return shown(clusterId, find(changeId));
    }

    @PostMapping("/{changeId}:revert")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Take a change of a configuration back", description = "The settings that it changed become what they "
            + "were, unless somebody has changed one of them since.")
    @ApiResponse(responseCode = "204", description = "Taken back")
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    void revert(@PathVariable String clusterId, @PathVariable String changeId) {
        cluster.image(clusterId);
        var change = find(changeId);
        var resource = change.resource();
        if (resource.type() == ConfigType.TOPIC) {
            cluster.topic(clusterId, resource.name());
        }
        var configs = cluster.image().configs();
        var now = configs.of(resource);
        for (var key : change.keys()) {
            if (!Objects.equals(now.get(key), change.after().get(key))) {
                throw Problem.conflict(key + " of " + resource.name() + " has changed since.");
            }
        }
        var back = change.keys().stream().map(key -> {
            var value = change.before().get(key);
            return new Op(key, value, value == null ? OpType.DELETE : OpType.SET);
        }).toList();
        cluster.command(new AlterConfigs(List.of(new ConfigAlteration(resource, back, configs.tag(resource))), false,
                false)).resources().forEach(outcome -> KafkaProblems.check(outcome.errorCode(), outcome.message()));
    }

    private ConfigChange find(String id) {
        return history.find(id).orElseThrow(() -> Problem.notFound("Change " + Problem.shown(id)
                + " cannot be found; changes are kept for 30 days."));
    }

    private static Predicate<ConfigChange> ofResource(@Nullable String text) {
        if (text == null) {
            return _ -> true;
        }
        int colon = text.indexOf(':');
        var name = text.substring(colon + 1);
        var type = switch (text.substring(0, Math.max(0, colon))) {
            case "topic" -> ConfigType.TOPIC;
            case "broker" -> ConfigType.BROKER;
            case "group" -> ConfigType.GROUP;
            default -> throw Problem.badRequest("'" + Problem.shown(text)
                    + "' is not a value of resource: topic:, broker: or group: and a name");
        };
        return change -> change.type() == type && change.name().equals(name);
    }

    private static Predicate<ConfigChange> since(@Nullable String text) {
        if (text == null) {
            return _ -> true;
        }
        try {
            long since = Instant.parse(text).toEpochMilli();
            return change -> change.at() >= since;
        } catch (DateTimeParseException | ArithmeticException _) {
            throw Problem.badRequest("'" + Problem.shown(text) + "' is not a value of since: 2026-01-31T12:00:00Z");
        }
    }

    private KafkaConfigChange shown(String clusterId, ConfigChange change) {
        return new KafkaConfigChange("KafkaConfigChange", links.metadata(clusterId, new Object[]{change.type().name()
                .toLowerCase(Locale.ROOT), change.name(), "config-change", change.id()}, "config-history", change
                        .id()), clusterId, change.id(), Instant.ofEpochMilli(change.at()), change.offset(), change
                                .type()
                                .name(), change.name(), null, change.before(), change.after());
    }
}
