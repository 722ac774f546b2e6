package io.millrace.metadata.zookeeper;

/// ZooKeeper answered, and the answer is no: nothing was written. Cheap and expected, so it has no stack trace.
public final class ZnodeRefused extends RuntimeException {
    private final Reason reason;
    private final String path;

    /// Why.
    public enum Reason {
        NO_NODE, NODE_EXISTS, BAD_VERSION, NOT_EMPTY,
        /// The session may not do that, or the ensemble is set up against it.
        FORBIDDEN
    }

    ZnodeRefused(Reason reason, String path) {
        super(reason + " path=" + path, null, false, false);
        this.reason = reason;
        this.path = path;
    }

    /// Why.
    public Reason reason() {
        return reason;
    }

    /// The znode that stood in the way: of a multi, the one of the first write that failed.
    public String path() {
        return path;
    }
}
