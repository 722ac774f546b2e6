package io.millrace.wire.api;

/// What the client said of itself in ApiVersions (KIP-511).
///
/// @param name such as `apache-kafka-java`
/// @param version such as `4.4.0`
public record ClientSoftware(String name, String version) {

    /// A client that has not said it, or is too old to say.
    public static final ClientSoftware UNKNOWN = new ClientSoftware("unknown", "unknown");
}
