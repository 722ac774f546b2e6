package io.millrace.metadata.image;

/// How far a registered node takes part.
public enum NodeState {
    /// Takes leaderships or shards, and is shown to clients.
    ACTIVE,
    /// Registered, but its stream is not up or its first image not applied: it leads nothing.
    FENCED,
    /// Asked for a controlled shutdown: it keeps what it could not hand over and gets nothing new.
    SHUTTING_DOWN
}
