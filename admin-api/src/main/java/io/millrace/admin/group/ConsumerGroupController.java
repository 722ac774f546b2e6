package io.millrace.admin.group;

import java.util.List;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Group;
import io.millrace.admin.upstream.GroupOffsets;
import io.millrace.admin.upstream.Groups;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/consumer-groups", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Consumer groups")
class ConsumerGroupController {
    private final Cluster cluster;
    private final Groups groups;
    private final GroupOffsets offsets;
    private final Links links;

    @GetMapping
    @Operation(summary = "List consumer groups")
    ResourceList<KafkaConsumerGroup> list(@PathVariable String clusterId,
            @RequestParam(defaultValue = "") String prefix,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) Group.@Nullable Type type) {
        cluster.image(clusterId);
        var found = groups.list().stream()
                .filter(owned -> owned.group().id().startsWith(prefix))
                .filter(owned -> state == null || KafkaConsumerGroup.state(owned.group().state()).equals(state))
                .filter(owned -> type == null || owned.group().type() == type)
                .map(owned -> KafkaConsumerGroup.of(clusterId, owned.group(), owned.coordinator(), links))
                .toList();
        return ResourceList.whole("KafkaConsumerGroupList", links.cluster(clusterId, "consumer-groups"), found);
    }

    @GetMapping("/{groupId}")
    @Operation(summary = "Describe a consumer group")
    KafkaConsumerGroup get(@PathVariable String clusterId, @PathVariable String groupId) {
        cluster.image(clusterId);
        return KafkaConsumerGroup.of(clusterId, groups.describe(groupId), groups.coordinator(groupId).id(), links);
    }

    @DeleteMapping("/{groupId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Delete a consumer group without members, and its offsets")
    @ApiResponse(responseCode = "204", description = "Deleted")
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    void delete(@PathVariable String clusterId, @PathVariable String groupId) {
        cluster.image(clusterId);
        groups.delete(groupId);
    }

    @GetMapping("/{groupId}/consumers")
    @Operation(summary = "List the members of a consumer group")
    ResourceList<KafkaConsumer> consumers(@PathVariable String clusterId, @PathVariable String groupId) {
        cluster.image(clusterId);
        return ResourceList.whole("KafkaConsumerList",
                links.cluster(clusterId, "consumer-groups", groupId, "consumers"),
                groups.describe(groupId).members().stream()
                        .map(member -> KafkaConsumer.of(clusterId, groupId, member, links))
                        .toList());
    }

    @GetMapping("/{groupId}/consumers/{consumerId}")
    @Operation(summary = "Describe a member of a consumer group")
    KafkaConsumer consumer(@PathVariable String clusterId, @PathVariable String groupId,
            @PathVariable String consumerId) {
        cluster.image(clusterId);
        return KafkaConsumer.of(clusterId, groupId, member(groups.describe(groupId).members(), consumerId), links);
    }

    @DeleteMapping("/{groupId}/consumers/{consumerId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Send a member of a consumer group away", description = "It may come back.")
    void remove(@PathVariable String clusterId, @PathVariable String groupId, @PathVariable String consumerId) {
        cluster.image(clusterId);
        var member = member(groups.describe(groupId).members(), consumerId);
        offsets.remove(groupId, List.of(member), "removed by an administrator");
    }

    @GetMapping("/{groupId}/consumers/{consumerId}/assignments")
    @Operation(summary = "List the partitions that a member reads")
    ResourceList<KafkaConsumerAssignment> assignments(@PathVariable String clusterId, @PathVariable String groupId,
            @PathVariable String consumerId) {
        cluster.image(clusterId);
        return ResourceList.whole("KafkaConsumerAssignmentList",
                links.cluster(clusterId, "consumer-groups", groupId, "consumers", consumerId, "assignments"),
                member(groups.describe(groupId).members(), consumerId).assigned().stream()
                        .map(assigned -> KafkaConsumerAssignment.of(clusterId, groupId, consumerId, assigned, links))
                        .toList());
    }

    @GetMapping("/{groupId}/consumers/{consumerId}/assignments/{topicName}/partitions/{partitionId}")
    @Operation(summary = "Describe a partition that a member reads")
    KafkaConsumerAssignment assignment(@PathVariable String clusterId, @PathVariable String groupId,
            @PathVariable String consumerId, @PathVariable String topicName, @PathVariable int partitionId) {
        return assignments(clusterId, groupId, consumerId).data().stream()
                .filter(assigned -> assigned.topicName().equals(topicName) && assigned.partitionId() == partitionId)
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Consumer %s does not read %s-%d.".formatted(consumerId, topicName,
                        partitionId)));
    }

    private static Group.Member member(List<Group.Member> members, String id) {
        return members.stream().filter(member -> member.id().equals(id)).findFirst()
                .orElseThrow(() -> Problem.notFound("Consumer " + id + " cannot be found."));
    }
}
