package io.millrace.admin.operation;

import java.net.URI;
import java.time.Clock;

import io.millrace.admin.resource.Links;
import io.millrace.admin.upstream.Cluster;
import org.springframework.http.ResponseEntity;

/// Operations as they are shown.
public final class OperationViews {
    private final Cluster cluster;
    private final CopyProgress copies;
    private final Links links;
    private final Clock clock;

    public OperationViews(Cluster cluster, CopyProgress copies, Links links, Clock clock) {
        this.cluster = cluster;
        this.copies = copies;
        this.links = links;
        this.clock = clock;
    }

    KafkaOperation of(String clusterId, Operation operation) {
        return KafkaOperation.of(clusterId, operation, cluster.image(), copies, clock.millis(), links);
    }

    /// The answer to whoever has begun it: 202, and where it is seen.
    public ResponseEntity<Object> accepted(String clusterId, Operation operation) {
        return ResponseEntity.accepted().location(URI.create(links.cluster(clusterId, "operations", operation.id())))
                .body(of(clusterId, operation));
    }
}
