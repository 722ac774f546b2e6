package io.millrace.admin.group;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.GroupOffsets;
import io.millrace.admin.upstream.Groups;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.Offsets.Position;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Offsets of groups: read, reset, set, forgotten.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/consumer-groups/{groupId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Consumer groups")
class OffsetController {
    private final Cluster cluster;
    private final Groups groups;
    private final GroupOffsets groupOffsets;
    private final Offsets offsets;
    private final Links links;
    private final Clock clock = Clock.systemUTC();

    /// @param current null where there is none yet
    /// @param deltaMessages records that are read again (negative) or passed over
    /// @param outOfRange whether what was asked for is not there, so that the nearest offset is taken
    record ResetRow(String topic, int partition, @Nullable Long current, long next, @Nullable Long deltaMessages,
            boolean outOfRange) {}

    /// @param applied false where it was only previewed
    /// @param undo what `PATCH …/offsets` takes to make it undone
    record ResetAnswer(String kind, String clusterId, String consumerGroupId, boolean applied, List<ResetRow> data,
            SetOffsetsRequest undo) {}

    /// @param offsets where to go on, of each partition
    @Schema(example = "{\"offsets\": [{\"topic_name\": \"orders\", \"partition_id\": 0, \"offset\": 0}]}")
    record SetOffsetsRequest(@NotEmpty @Size(max = 10_000) List<@NotNull @Valid SetOffset> offsets) {

        /// @param metadata text beside it; null: none
        record SetOffset(@NotBlank @Size(max = 249) String topicName, @NotNull Integer partitionId,
                @NotNull @Min(0) Long offset, @Nullable @Size(max = 4_096) String metadata) {}
    }

    @GetMapping("/offsets")
    @Operation(summary = "List the committed offsets of a consumer group")
    ResourceList<KafkaGroupOffset> list(@PathVariable String clusterId, @PathVariable String groupId) {
        cluster.image(clusterId);
        return ResourceList.whole("KafkaGroupOffsetList", links.cluster(clusterId, "consumer-groups", groupId,
                "offsets"), groups.commits(groupId).entrySet().stream().map(entry -> KafkaGroupOffset.of(
                        clusterId, groupId, entry.getKey(), entry.getValue(), links)).toList());
    }

    @PostMapping("/offsets:reset")
    @Operation(summary = "Say where a consumer group goes on", description = "Only previewed, unless `\"preview\": false`. `to` is "
            + "`\"earliest\"`, `\"latest\"`, or an object with one of `offset`, `timestamp`, `shift`, `by_duration` (`PT1H`), `from_group`.")
    @ApiResponse(responseCode = "200", description = "What changes, and how to undo it", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResetAnswer reset(@PathVariable String clusterId, @PathVariable String groupId,
            @Valid @RequestBody ResetRequest request) {
        cluster.image(clusterId);
        var target = ResetTarget.of(request.to());
        var committed = groups.committed(groupId);
        var scope = scope(clusterId, request, committed.keySet());
        var rows = rows(scope, committed, wanted(scope, target, committed));
        if (!request.onlyPreviewed() && !rows.isEmpty()) {
            var next = GroupOffsets.<GroupOffsets.Position>ordered();
            rows.forEach(row -> next.put(new TopicPartition(row.topic(), row.partition()), new GroupOffsets.Position(row
                    .next(), "")));
            apply(groupId, next, Boolean.TRUE.equals(request.force()));
        }
        return new ResetAnswer("KafkaOffsetReset", clusterId, groupId, !request.onlyPreviewed(), rows,
                new SetOffsetsRequest(rows.stream().flatMap(row -> row.current() == null
                        ? java.util.stream.Stream.of()
                        : java.util.stream.Stream.of(new SetOffsetsRequest.SetOffset(row.topic(), row.partition(), row
                                .current(), null))).toList()));
    }

    private void apply(String groupId, Map<TopicPartition, GroupOffsets.Position> next, boolean force) {
        var members = groups.members(groupId);
        if (!members.isEmpty()) {
            if (!force) {
                throw Problem.conflict("Consumer group " + groupId + " has " + members.size()
                        + " members: stop them, or say \"force\": true");
            }
            groupOffsets.remove(groupId, members, "offsets are reset");
        }
        groupOffsets.commit(groupId, next);
    }

    private Set<TopicPartition> scope(String clusterId, ResetRequest request, Set<TopicPartition> committed) {
        if (request.topics() == null) {
            return committed;
        }
        var scope = GroupOffsets.<Boolean>ordered();
        for (var topic : request.topics()) {
            var found = cluster.topic(clusterId, topic.topic());
            if (topic.partitions() == null) {
                found.partitions().forEach(partition -> scope.put(new TopicPartition(topic.topic(), partition
                        .partition()), true));
            } else {
                topic.partitions().forEach(partition -> scope.put(new TopicPartition(topic.topic(), cluster.partition(
                        clusterId, topic.topic(), partition).partition()), true));
            }
        }
        return scope.keySet();
    }

    /// Where each partition would go on, in range or not; those whose leader does not answer are left out.
    private Map<TopicPartition, Long> wanted(Set<TopicPartition> scope, ResetTarget target,
            Map<TopicPartition, Long> committed) {
        return switch (target) {
            case ResetTarget.Earliest _ -> offsets.of(scope, Position.EARLIEST).offsets();
            case ResetTarget.Latest _ -> offsets.of(scope, Position.LATEST).offsets();
            case ResetTarget.Offset(long offset) -> scope.stream().collect(Collectors.toMap(partition -> partition,
                    _ -> offset));
            case ResetTarget.Timestamp(long millis) -> offsets.after(scope, millis).offsets();
            case ResetTarget.Ago(var duration) -> offsets.after(scope, clock.millis() - duration.toMillis()).offsets();
            case ResetTarget.OtherGroup(var other) -> only(scope, groups.committed(other), 0);
            case ResetTarget.Shift(long by) -> only(scope, committed, by);
        };
    }

    private static Map<TopicPartition, Long> only(Set<TopicPartition> scope, Map<TopicPartition, Long> of, long plus) {
        var wanted = new HashMap<TopicPartition, Long>();
        of.forEach((partition, offset) -> {
            if (scope.contains(partition)) {
                wanted.put(partition, offset + plus);
            }
        });
        return wanted;
    }

    private List<ResetRow> rows(Set<TopicPartition> scope, Map<TopicPartition, Long> committed,
            Map<TopicPartition, Long> wanted) {
        var first = offsets.of(scope, Position.EARLIEST).offsets();
        var end = offsets.of(scope, Position.LATEST).offsets();
        NavigableMap<TopicPartition, Long> ordered = GroupOffsets.ordered();
        ordered.putAll(wanted);
        var rows = new ArrayList<ResetRow>();
        ordered.forEach((partition, offset) -> {
            var least = first.get(partition);
            var most = end.get(partition);
            if (least != null && most != null) {
                long next = Math.clamp(offset, least, Math.max(least, most));
                var current = committed.get(partition);
                rows.add(new ResetRow(partition.topic(), partition.partition(), current, next, current == null
                        ? null
                        : next - current, next != offset));
            }
        });
        return rows;
    }

    @PatchMapping("/offsets")
    @Operation(summary = "Set offsets of a consumer group without members")
    @ApiResponse(responseCode = "200", description = "All that it has now", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResourceList<KafkaGroupOffset> set(@PathVariable String clusterId, @PathVariable String groupId,
            @Valid @RequestBody SetOffsetsRequest request) {
        cluster.image(clusterId);
        var positions = GroupOffsets.<GroupOffsets.Position>ordered();
        for (var one : request.offsets()) {
            cluster.partition(clusterId, one.topicName(), one.partitionId());
            var before = positions.put(new TopicPartition(one.topicName(), one.partitionId()),
                    new GroupOffsets.Position(one.offset(), one.metadata() == null ? "" : one.metadata()));
            if (before != null) {
                throw Problem.badRequest("offsets names %s-%d twice".formatted(one.topicName(), one.partitionId()));
            }
        }
        apply(groupId, positions, false);
        return list(clusterId, groupId);
    }

    @DeleteMapping("/offsets")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Forget all offsets of a consumer group")
    @ApiResponse(responseCode = "204", description = "Forgotten")
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    void forget(@PathVariable String clusterId, @PathVariable String groupId) {
        cluster.image(clusterId);
        var committed = groups.committed(groupId).keySet();
        if (!committed.isEmpty()) {
            groupOffsets.delete(groupId, committed);
        }
    }

    @DeleteMapping("/offsets/{topicName}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Forget the offsets that a consumer group has of a topic")
    @ApiResponse(responseCode = "204", description = "Forgotten")
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    void forgetTopic(@PathVariable String clusterId, @PathVariable String groupId, @PathVariable String topicName) {
        cluster.image(clusterId);
        var committed = groups.committed(groupId).keySet().stream().filter(partition -> partition.topic().equals(
                topicName)).collect(Collectors.toSet());
        if (committed.isEmpty()) {
            throw Problem.notFound("Consumer group %s has no offset of %s.".formatted(groupId, topicName));
        }
        groupOffsets.delete(groupId, committed);
    }
}
