package io.millrace.controller.partition;

import java.util.Optional;

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
        var override = image.topicConfig(topic).get(UNCLEAN);
        var said = override == null ? image.configs().of(ConfigResource.allBrokers()).get(UNCLEAN) : override;
        return said == null ? uncleanByDefault : Boolean.parseBoolean(said.strip());
    }

    /// How many replicas must be in sync for anything to be committed. What an old tool wrote past all checks, and is no
    /// number, counts as if it had not been set, as brokers take it.
    int minInSync(ClusterImage image, String topic) {
        return number(image.topicConfig(topic).get(MIN_IN_SYNC))
                .or(() -> number(image.configs().of(ConfigResource.allBrokers()).get(MIN_IN_SYNC)))
                .orElse(minInSyncByDefault);
    }

    private static Optional<Integer> number(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(String::strip).map(Integer::valueOf);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
