package io.millrace.admin.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.EmptyGroups;
import io.millrace.admin.upstream.EmptyGroups.EmptyGroup;
import io.millrace.admin.upstream.Group;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import lombok.RequiredArgsConstructor;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Groups that nobody seems to need any more.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Consumer groups")
class StaleGroupController {
    private final Cluster cluster;
    private final EmptyGroups groups;
    private final Links links;
    private final Clock clock = Clock.systemUTC();

    /// @param idleSince when the last commit came, or the last member left
    /// @param idleSeconds since then
    record KafkaStaleConsumerGroup(String kind, String clusterId, String consumerGroupId, Group.Type type,
            Instant idleSince, long idleSeconds, Related consumerGroup, Related offsets) {}

    @GetMapping("/consumer-groups:stale")
    @Operation(summary = "List consumer groups without members and without commits for some days", description = "Offsets of such groups expire by "
            + "`offsets.retention.minutes`; the longer that is, the more of them are kept.")
    ResourceList<KafkaStaleConsumerGroup> list(@PathVariable String clusterId,
            @RequestParam(name = "idle_days", defaultValue = "7") @Min(0) @Max(3_650) int idleDays) {
        cluster.image(clusterId);
        long now = clock.millis();
        long youngest = now - Duration.ofDays(idleDays).toMillis();
        return ResourceList.whole("KafkaStaleConsumerGroupList", links.cluster(clusterId, "consumer-groups:stale"),
                groups.list().stream().filter(group -> group.lastSignMillis() <= youngest)
                        .map(group -> row(clusterId, group, now)).toList());
    }

    private KafkaStaleConsumerGroup row(String clusterId, EmptyGroup group, long now) {
        return new KafkaStaleConsumerGroup("KafkaStaleConsumerGroup", clusterId, group.id(), group.type(), Instant
                .ofEpochMilli(group.lastSignMillis()), Math.max(0, now - group.lastSignMillis()) / 1_000, links.related(
                        clusterId, "consumer-groups", group.id()), links.related(clusterId, "consumer-groups", group
                                .id(), "offsets"));
    }
}
