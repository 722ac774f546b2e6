package io.millrace.metadata.image;

/// A replica that is out of the ISR and still has all that is committed, since nothing was while fewer were in sync than
/// `min.insync.replicas` (KIP-966). Another life of its broker may have lost some of it with its power.
///
/// @param broker its id
/// @param life of the broker, as its registration tells it; see [NodeImage#life]
public record EligibleReplica(int broker, String life) {}
