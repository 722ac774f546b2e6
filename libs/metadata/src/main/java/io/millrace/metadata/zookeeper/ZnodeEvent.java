package io.millrace.metadata.zookeeper;

/// What a watch tells: hints to read again, since a connection that was down swallows some.
public sealed interface ZnodeEvent {

    /// A node came to be.
    record Created(String path) implements ZnodeEvent {}

    /// A node's data were written.
    record Changed(String path) implements ZnodeEvent {}

    /// A node is no more.
    record Deleted(String path) implements ZnodeEvent {}

    /// The watch was set, at first or after a lost connection: anything under `path` may have changed before.
    record Reset(String path) implements ZnodeEvent {}
}
