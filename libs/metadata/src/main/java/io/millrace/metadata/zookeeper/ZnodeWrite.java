package io.millrace.metadata.zookeeper;

/// One write of a multi. Data are text, stored in UTF-8; the empty text is stored as no data.
public sealed interface ZnodeWrite {
    /// In place of a version: whatever it is.
    int ANY_VERSION = -1;

    /// What is written.
    String path();

    /// Creates a persistent node; its parent is there.
    record Create(String path, String data) implements ZnodeWrite {}

    /// Creates a node that goes with this session; its parent is there.
    record CreateEphemeral(String path, String data) implements ZnodeWrite {}

    /// Creates a persistent node whose name ends in ten more digits, higher than any before.
    record CreateSequential(String path, String data) implements ZnodeWrite {}

    /// Replaces the data.
    ///
    /// @param version that it must have; [#ANY_VERSION] for any
    record Set(String path, String data, int version) implements ZnodeWrite {}

    /// Removes a node that has no children.
    ///
    /// @param version that it must have; [#ANY_VERSION] for any
    record Delete(String path, int version) implements ZnodeWrite {}

    /// Writes nothing, and refuses the whole multi unless the node has that version.
    record Check(String path, int version) implements ZnodeWrite {}
}
