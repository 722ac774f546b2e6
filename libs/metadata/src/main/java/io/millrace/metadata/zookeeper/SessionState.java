package io.millrace.metadata.zookeeper;

/// What is known about the session with ZooKeeper.
public enum SessionState {
    /// A session is up. After [#LOST] it is a new one, without the ephemeral nodes of the old.
    CONNECTED,
    /// No connection; the session and its ephemeral nodes may live on. Nothing was lost yet.
    SUSPENDED,
    /// The session is over and its ephemeral nodes are gone or about to be. A new session is on its way by itself.
    LOST
}
