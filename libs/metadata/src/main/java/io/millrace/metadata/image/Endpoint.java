package io.millrace.metadata.image;

/// Where a node listens.
///
/// @param listener its name, upper case
/// @param securityProtocol Kafka's name: `PLAINTEXT`, `SSL`, `SASL_PLAINTEXT`, `SASL_SSL`
/// @param host as told to clients
/// @param port as told to clients
public record Endpoint(String listener, String securityProtocol, String host, int port) {}
