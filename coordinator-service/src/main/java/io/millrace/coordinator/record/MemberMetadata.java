package io.millrace.coordinator.record;

import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/// What a member of a consumer group (KIP-848) said of itself.
///
/// @param instanceId of a static member, else null
/// @param clientHost as Kafka shows it: `/127.0.0.1`
/// @param topics names it subscribed to, in order
/// @param pattern of further topics; null where it gave none
/// @param serverAssignor it would like; null where it left that to the group
/// @param classic what only a member has that speaks the classic protocol; null for others
public record MemberMetadata(@Nullable String instanceId, @Nullable String rackId, String clientId, String clientHost,
        List<String> topics, @Nullable String pattern, int rebalanceTimeoutMillis, @Nullable String serverAssignor,
        @Nullable Classic classic) {
    public MemberMetadata {
        topics = sorted(topics);
    }

    private static List<String> sorted(List<String> names) {
        return List.copyOf(new TreeSet<>(names));
    }

    /// A member that speaks the classic protocol to a consumer group.
    ///
    /// @param protocols in the order of the member's preference
    public record Classic(int sessionTimeoutMillis, List<ClassicProtocol> protocols) {
        public Classic {
            protocols = List.copyOf(protocols);
        }
    }

    /// An assignor that such a member knows, and its subscription as it gave it.
    public record ClassicProtocol(String name, Bytes subscription) {}

    /// Whether the same topics are meant, so that nobody's assignment need change.
    public boolean subscribesAs(MemberMetadata other) {
        return topics.equals(other.topics) && Objects.equals(pattern, other.pattern)
                && Objects.equals(serverAssignor, other.serverAssignor);
    }
}
