package io.millrace.admin.cluster;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Ensemble;
import io.millrace.metadata.command.DescribeSubscribers;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// What the cluster stands on: ZooKeeper, and the metadata stream.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/quorum", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Clusters")
@Slf4j
class QuorumController {
    private final Cluster cluster;
    private final Ensemble ensemble;
    private final Links links;

    /// @param ensemble ZooKeeper's servers
    /// @param metadataStream null where no controller answers
    record KafkaQuorum(String kind, ResourceMetadata metadata, String clusterId, List<Ensemble.Member> ensemble,
            @Nullable MetadataStream metadataStream) {}

    /// @param activeOffset the newest version of the metadata
    record MetadataStream(int controllerId, int controllerEpoch, long activeOffset, List<Subscriber> subscribers) {}

    /// @param ackedOffset the newest version that it has applied; -1 where it has applied none of this controller's
    /// @param lagMs how long the oldest version has waited that it has not applied
    record Subscriber(String service, int id, long ackedOffset, long lagMs) {}

    @GetMapping
    @Operation(summary = "How ZooKeeper is, and who follows the metadata", description = "Servers that do not answer have a "
            + "`problem`; `watches` needs `mntr` in ZooKeeper's `4lw.commands.whitelist`.")
    KafkaQuorum get(@PathVariable String clusterId) {
        cluster.image(clusterId);
        return new KafkaQuorum("KafkaQuorum", links.metadata(clusterId, new Object[]{"quorum"}, "quorum"), clusterId,
                ensemble.ask(), stream());
    }

    private @Nullable MetadataStream stream() {
        try {
            var told = cluster.command(new DescribeSubscribers());
            var version = told.published();
            return new MetadataStream(told.controllerId(), version.controllerEpoch(), version.sequence(), told
                    .subscribers().stream().map(row -> new Subscriber(row.role().name(), row.id(), row.applied()
                            .controllerEpoch() == version.controllerEpoch() ? row.applied().sequence() : -1, row
                                    .lagMillis())).toList());
        } catch (RuntimeException failure) {
            log.warn("event=subscribers-unknown cause=\"{}\"", failure.toString());
            return null;
        }
    }
}
