package io.millrace.coordinator.group;

/// Who is behind a member.
///
/// @param clientId as the client named itself
/// @param host as Kafka shows it: `/127.0.0.1`
/// @param software name and version of the client; empty where it has not said them, or where the member was loaded
public record ClientIdentity(String clientId, String host, String software) {

    /// A client whose software is not known.
    public ClientIdentity(String clientId, String host) {
        this(clientId, host, "");
    }
}
