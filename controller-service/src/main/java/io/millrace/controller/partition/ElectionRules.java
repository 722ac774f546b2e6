package io.millrace.controller.partition;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import org.jspecify.annotations.Nullable;

/// What topics say of who may lead them, else what is set for all brokers, else the controller's own settings.
///
/// @param uncleanByDefault `unclean.leader.election.enable` of this controller
/// @param minInSyncByDefault its `min.insync.replicas`
public record ElectionRules(boolean uncleanByDefault, int minInSyncByDefault) {
    private static final String UNCLEAN = "unclean.leader.election.enable";
    private static final String MIN_IN_SYNC = "min.insync.replicas";

    /// Whether a replica that may miss acknowledged records may lead, if nobody else can.
    public boolean uncleanAllowed(ClusterImage image, String topic) {
        var said = said(image, topic, UNCLEAN);
        return said == null ? uncleanByDefault : Boolean.parseBoolean(said);
    }

    /// How many replicas must be in sync for anything to be committed.
    int minInSync(ClusterImage image, String topic) {
        var said = said(image, topic, MIN_IN_SYNC);
        return said == null ? minInSyncByDefault : Integer.parseInt(said);
    }

    private static @Nullable String said(ClusterImage image, String topic, String key) {
        var override = image.topicConfig(topic).get(key);
        var said = override == null ? image.configs().of(ConfigResource.allBrokers()).get(key) : override;
        return said == null ? null : said.strip();
    }
}
