package io.millrace.coordinator.group.classic;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/// Reads the one kind of member metadata that the coordinator needs to understand: a consumer's subscription.
final class Subscriptions {
    private static final String CONSUMER = "consumer";

    private Subscriptions() {}

    static Optional<Set<String>> topicsOf(ClassicGroup group) {
        if (!CONSUMER.equals(group.protocolType())) {
            return Optional.empty();
        }
        var topics = new HashSet<String>();
        for (var member : group.members().values()) {
            var read = member.metadataOf(group.protocol()).flatMap(Subscriptions::topics);
            if (read.isEmpty()) {
                return Optional.empty();
            }
            topics.addAll(read.get());
        }
        return Optional.of(Set.copyOf(topics));
    }

    /// Empty where a client of its own mind put something else there, which is allowed.
    private static Optional<List<String>> topics(Bytes metadata) {
        try {
            var buffer = ByteBuffer.wrap(metadata.array());
            short version = buffer.getShort();
            if (version < ConsumerProtocolSubscription.LOWEST_SUPPORTED_VERSION) {
                return Optional.empty();
            }
            // A newer version only adds fields at the end, by the rules of that protocol.
            short known = (short) Math.min(version, ConsumerProtocolSubscription.HIGHEST_SUPPORTED_VERSION);
            return Optional.of(new ConsumerProtocolSubscription(new ByteBufferAccessor(buffer), known).topics());
        } catch (RuntimeException notASubscription) {
            return Optional.empty();
        }
    }
}
