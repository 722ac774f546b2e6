package io.millrace.admin.record;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.record.Browse.Question;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList.ListMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Deletions;
import io.millrace.admin.upstream.Fetches;
import io.millrace.admin.upstream.Offsets;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Records")
class RecordController {
    private static final int MOST = 1_000;
    private static final int LONGEST_MILLIS = 30_000;

    private final Cluster cluster;
    private final Browse browse;
    private final Offsets offsets;
    private final Deletions deletions;
    private final Links links;

    RecordController(Cluster cluster, Fetches fetches, Offsets offsets, Deletions deletions, Links links) {
        this.cluster = cluster;
        this.browse = new Browse(fetches, offsets);
        this.offsets = offsets;
        this.deletions = deletions;
        this.links = links;
    }

    /// One of the two.
    @Schema(example = "{\"before_offset\": 0}")
    record DeleteRecordsRequest(@Nullable Long beforeOffset, @Nullable Long beforeTimestamp) {}

    /// @param lowWatermark offset of the first record that is left
    record DeletedRecords(String kind, String clusterId, String topicName, int partitionId, long lowWatermark) {}

    @GetMapping("/records")
    @Operation(summary = "Browse the records of a topic", description = "Uses no group and commits nothing. A filter is like "
            + "`value.customer.id == 42 && headers.kind != \"test\"`, with `== != < <= > >=` and `~` for contains.")
    KafkaRecordPage find(@PathVariable String clusterId, @PathVariable String topicName,
            @RequestParam(required = false) @Nullable Integer partition,
            @Parameter(description = "`earliest`, `latest`, `offset:N`, `timestamp:MILLIS` or `timestamp:2026-01-31T12:00:00Z`") @RequestParam(defaultValue = "earliest") String from,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String contains,
            @RequestParam(required = false) @Nullable String filter,
            @Parameter(description = "`auto`, `string`, `json`, `base64` or `hex`") @RequestParam(defaultValue = "auto") String format,
            @Parameter(description = "`read_committed` or `read_uncommitted`") @RequestParam(defaultValue = "read_committed") String isolation,
            @RequestParam(name = "timeout_ms", defaultValue = "5000") int timeoutMillis,
            @RequestParam(name = "page_token", required = false) @Nullable String pageToken) {
        within("limit", limit, MOST);
        within("timeout_ms", timeoutMillis, LONGEST_MILLIS);
        var partitions = partitions(clusterId, topicName, partition);
        var begin = pageToken == null
                ? browse.begin(partitions, from, limit)
                : Browse.positions(topicName, pageToken);
        begin.keySet().forEach(found -> cluster.partition(clusterId, topicName, found.partition()));
        var found = browse.find(new Question(begin, RecordFilter.of(key, contains, filter), Format.named(format), limit,
                committed(isolation), Duration.ofMillis(timeoutMillis)));
        return new KafkaRecordPage("KafkaRecordList", new ListMetadata(links.cluster(clusterId, "topics", topicName,
                "records"), null), found.records(), Browse.token(found.next()), found.scanned(), List.copyOf(found
                        .unavailable()));
    }

    @PostMapping("/partitions/{partitionId}/records:delete")
    @Operation(summary = "Delete the oldest records of a partition", description = "All before an offset, or before the first "
            + "record that is as young as a time (milliseconds since 1970).")
    DeletedRecords delete(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable int partitionId,
            @Valid @RequestBody DeleteRecordsRequest request) {
        cluster.partition(clusterId, topicName, partitionId);
        var partition = new TopicPartition(topicName, partitionId);
        if ((request.beforeOffset() == null) == (request.beforeTimestamp() == null)) {
            throw Problem.badRequest("either before_offset or before_timestamp");
        }
        long before = request.beforeOffset() != null
                ? request.beforeOffset()
                : offsets.after(List.of(partition), request.beforeTimestamp()).require(partition);
        return new DeletedRecords("KafkaDeletedRecords", clusterId, topicName, partitionId, deletions.before(partition,
                before));
    }

    private List<TopicPartition> partitions(String clusterId, String topicName, @Nullable Integer one) {
        if (one != null) {
            cluster.partition(clusterId, topicName, one);
            return List.of(new TopicPartition(topicName, one));
        }
        int count = cluster.topic(clusterId, topicName).partitions().size();
        return IntStream.range(0, count).mapToObj(number -> new TopicPartition(topicName, number)).toList();
    }

    static boolean committed(String isolation) {
        return switch (isolation) {
            case "read_committed" -> true;
            case "read_uncommitted" -> false;
            default -> throw Problem.badRequest("'" + Problem.shown(isolation) + "' is not a value of isolation");
        };
    }

    private static void within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw Problem.badRequest(name + " is a number from 1 to " + most);
        }
    }
}
