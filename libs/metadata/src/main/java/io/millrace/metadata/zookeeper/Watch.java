package io.millrace.metadata.zookeeper;

/// A watch or listener that is on.
@FunctionalInterface
public interface Watch extends AutoCloseable {

    /// Ends it. An event that is on its way may still arrive.
    @Override
    void close();
}
