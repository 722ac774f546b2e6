package io.millrace.coordinator.record;

import org.jspecify.annotations.Nullable;

/// A member as a stored group remembers it.
///
/// @param instanceId of a static member (KIP-345), else null
/// @param clientHost as Kafka shows it: `/127.0.0.1`
/// @param subscription what it said for the protocol that the group chose
public record MemberSnapshot(String memberId, @Nullable String instanceId, String clientId, String clientHost,
        int rebalanceTimeoutMillis, int sessionTimeoutMillis, Bytes subscription, Bytes assignment) {}
