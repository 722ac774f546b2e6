package io.millrace.coordinator.group;

/// Who is behind a member.
///
/// @param clientId as the client named itself
/// @param host as Kafka shows it: `/127.0.0.1`
public record ClientIdentity(String clientId, String host) {}
