package io.millrace.coordinator.group.consumer;

/// What holds for the members of one group.
///
/// @param sessionTimeoutMillis after which a silent member is out: `consumer.session.timeout.ms` of the group, else
///         `group.consumer.session.timeout.ms`
/// @param heartbeatIntervalMillis at which members are told to report, likewise
public record ConsumerTerms(int sessionTimeoutMillis, int heartbeatIntervalMillis) {}
