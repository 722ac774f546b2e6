package io.millrace.metadata.zookeeper;

import java.io.IOException;

/// ZooKeeper did not answer: connection or session lost, or too much asked at once. A write may have been made or not.
public final class ZnodesUnavailable extends IOException {
    ZnodesUnavailable(String message) {
        super(message);
    }
}
