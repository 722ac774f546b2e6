package io.millrace.controller.core;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;

/// Where a replica that may miss acknowledged records may lead, if nobody else can: what the topic says, else what is set
/// for all brokers, else the controller's own setting.
///
/// @param byDefault `unclean.leader.election.enable` of this controller
record UncleanElection(boolean byDefault) {
    private static final String KEY = "unclean.leader.election.enable";

    boolean allowed(ClusterImage image, String topic) {
        var override = image.topicConfig(topic).get(KEY);
        var said = override == null ? image.configs().of(ConfigResource.allBrokers()).get(KEY) : override;
        return said == null ? byDefault : Boolean.parseBoolean(said.strip());
    }
}
