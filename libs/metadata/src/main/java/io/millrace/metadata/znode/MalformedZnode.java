package io.millrace.metadata.znode;

/// A znode holds what nobody can read. It concerns that node alone: readers log it and go on without it.
public final class MalformedZnode extends RuntimeException {
    MalformedZnode(String message) {
        super(message, null, false, false);
    }
}
