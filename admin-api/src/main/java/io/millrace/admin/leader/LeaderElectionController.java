package io.millrace.admin.leader;

import java.util.ArrayList;
import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/leader-elections", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Leader elections")
class LeaderElectionController {
    private final Cluster cluster;
    private final Links links;

    @PostMapping
    @Operation(summary = "Elect leaders", description = "Each partition for itself. Of a whole cluster only those are listed "
            + "whose preferred leader did not lead.")
    ResourceList<KafkaLeaderElection> elect(@PathVariable String clusterId,
            @Valid @RequestBody LeaderElectionRequest request) {
        request.check();
        var before = cluster.image(clusterId);
        var result = cluster.command(new ElectLeaders(request.type(), request.ofAll()
                ? null
                : named(clusterId, request), cluster.timeout().toMillis()));
        var after = cluster.image(clusterId);
        var rows = result.outcomes()
                .stream()
                .map(outcome -> KafkaLeaderElection.of(clusterId, outcome.topic(), outcome.partition(), leader(before,
                        outcome.topic(), outcome.partition()), leader(after, outcome.topic(), outcome.partition()),
                        outcome.errorCode() == Errors.NONE.code() ? null : Errors.forCode(outcome.errorCode()).name(),
                        outcome.message(), links))
                .toList();
        return ResourceList.whole("KafkaLeaderElectionList", links.cluster(clusterId, "leader-elections"), rows);
    }

    private List<TopicPartition> named(String clusterId, LeaderElectionRequest request) {
        var named = new ArrayList<TopicPartition>();
        if (request.partitions() != null) {
            request.partitions().forEach(partition -> {
                cluster.partition(clusterId, partition.topicName(), partition.partitionId());
                named.add(new TopicPartition(partition.topicName(), partition.partitionId()));
            });
        }
        if (request.topics() != null) {
            request.topics().forEach(name -> cluster.topic(clusterId, name).partitions().forEach(partition -> named.add(
                    new TopicPartition(name, partition.partition()))));
        }
        return named;
    }

    private static @Nullable Integer leader(ClusterImage image, String topic, int partition) {
        return image.partition(topic, partition)
                .filter(PartitionImage::hasLeader)
                .map(PartitionImage::leader)
                .orElse(null);
    }
}
