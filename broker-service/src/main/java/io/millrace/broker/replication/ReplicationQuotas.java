package io.millrace.broker.replication;

import java.time.Duration;
import java.util.Optional;

import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.service.config.ServerSettings;
import org.jspecify.annotations.Nullable;

/// The quotas of this broker at both ends of replication, as the metadata set them.
final class ReplicationQuotas {
    private static final String LEADER_RATE = "leader.replication.throttled.rate";
    private static final String FOLLOWER_RATE = "follower.replication.throttled.rate";
    private static final String LEADER_REPLICAS = "leader.replication.throttled.replicas";
    private static final String FOLLOWER_REPLICAS = "follower.replication.throttled.replicas";

    private final int self;
    private final ServerSettings settings;
    private final ReplicationQuota leader;
    private final ReplicationQuota follower;

    /// @param self this broker's id
    ReplicationQuotas(int self, ServerSettings settings, Ticker ticker) {
        this.self = self;
        this.settings = settings;
        this.leader = quota(settings, ticker);
        this.follower = quota(settings, ticker);
        limits(ClusterImage.EMPTY);
    }

    private static ReplicationQuota quota(ServerSettings settings, Ticker ticker) {
        return new ReplicationQuota(new WindowedRate(ticker, settings.getInt("replication.quota.window.num"), Duration
                .ofSeconds(settings.getInt("replication.quota.window.size.seconds"))));
    }

    /// Of what this broker sends as a leader.
    ReplicationQuota leader() {
        return leader;
    }

    /// Of what this broker fetches as a follower.
    ReplicationQuota follower() {
        return follower;
    }

    /// Takes over what was set. One image after the other.
    void apply(ClusterImage image, Changes changes) {
        for (var resource : changes.configs()) {
            if (resource.type() == ConfigType.BROKER) {
                limits(image);
            } else if (resource.type() == ConfigType.TOPIC) {
                var set = image.configs().of(resource);
                leader.replicas(resource.name(), ThrottledReplicas.of(set.getOrDefault(LEADER_REPLICAS, ""), self));
                follower.replicas(resource.name(), ThrottledReplicas.of(set.getOrDefault(FOLLOWER_REPLICAS, ""), self));
            }
        }
    }

    private void limits(ClusterImage image) {
        leader.limit(limit(image, LEADER_RATE));
        follower.limit(limit(image, FOLLOWER_RATE));
    }

    private long limit(ClusterImage image, String key) {
        return number(image.configs().of(ConfigResource.broker(self)).get(key))
                .or(() -> number(image.configs().of(ConfigResource.allBrokers()).get(key)))
                .orElseGet(() -> settings.getLong(key));
    }

    /// What an old tool wrote past all checks, and is no number, counts as if it had not been set.
    private static Optional<Long> number(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(String::strip).map(Long::valueOf);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
