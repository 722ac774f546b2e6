package io.millrace.admin.cluster;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import org.jspecify.annotations.Nullable;

record KafkaCluster(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        @Nullable Related controller,
        Related acls,
        Related brokers,
        Related brokerConfigs,
        Related consumerGroups,
        Related topics,
        Related partitionReassignments) {

    static KafkaCluster of(ClusterImage image, Links links) {
        var id = image.clusterId();
        return new KafkaCluster("KafkaCluster", links.metadata(id, new Object[0]), id,
                links.related(id, "controller"), links.related(id, "acls"), links.related(id, "brokers"),
                links.related(id, "broker-configs"), links.related(id, "consumer-groups"), links.related(id, "topics"),
                links.related(id, "topics", "-", "partitions", "-", "reassignment"));
    }
}
