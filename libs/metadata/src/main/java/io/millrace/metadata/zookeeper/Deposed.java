package io.millrace.metadata.zookeeper;

/// `/controller_epoch` moved on: another controller took over, and nothing of this multi was written. Resign, do not retry.
public final class Deposed extends RuntimeException {
    Deposed(int expectedVersion) {
        super("controller epoch moved on from zkVersion=" + expectedVersion, null, false, false);
    }
}
