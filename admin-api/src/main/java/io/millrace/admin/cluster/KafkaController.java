package io.millrace.admin.cluster;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import org.apache.kafka.common.protocol.Errors;

/// @param metadataOffset the newest change this service has seen of that controller's reign
record KafkaController(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        int controllerId,
        int epoch,
        long metadataOffset) {

    static KafkaController of(ClusterImage image, Links links) {
        if (image.controllerId() < 0) {
            throw KafkaProblems.problem(Errors.NOT_CONTROLLER, "no controller is active");
        }
        var id = image.clusterId();
        return new KafkaController("KafkaController",
                links.metadata(id, new Object[]{"controller", image.controllerId()}, "controller"), id,
                image.controllerId(), image.version().controllerEpoch(), image.version().sequence());
    }
}
