package io.millrace.broker.partition;

import java.util.Optional;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Where a client that asked the wrong broker finds the leader, so that it need not ask for metadata first (KIP-951).
public final class LeaderHints {
    private final Supplier<ClusterImage> images;

    /// A leader.
    ///
    /// @param endpoint where clients of the listener asked for reach it; null where it does not listen there
    /// @param rack null where it stands in none
    public record Hint(int leader, int leaderEpoch, @Nullable Endpoint endpoint, @Nullable String rack) {}

    public LeaderHints(Supplier<ClusterImage> images) {
        this.images = images;
    }

    /// Whether a client that got `error` is helped by a hint.
    public static boolean helps(Errors error) {
        return error == Errors.NOT_LEADER_OR_FOLLOWER || error == Errors.FENCED_LEADER_EPOCH;
    }

    /// The leader of a partition; empty where none is known.
    ///
    /// @param topic used where `topicId` is [Uuid#ZERO_UUID]
    /// @param listener by which the client came
    public Optional<Hint> of(String topic, Uuid topicId, int partition, String listener) {
        var image = images.get();
        return topicOf(image, topic, topicId)
                .flatMap(found -> found.partition(partition))
                .filter(PartitionImage::hasLeader)
                .map(found -> hint(image, found, listener));
    }

    private static Optional<TopicImage> topicOf(ClusterImage image, String topic, Uuid topicId) {
        return Uuid.ZERO_UUID.equals(topicId)
                ? image.topic(topic)
                : image.topic(new java.util.UUID(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits()));
    }

    private static Hint hint(ClusterImage image, PartitionImage partition, String listener) {
        var broker = image.broker(partition.leader());
        return new Hint(partition.leader(), partition.leaderEpoch(), broker.flatMap(it -> it.endpoint(listener)).orElse(
                null), broker.map(it -> it.rack()).orElse(null));
    }
}
