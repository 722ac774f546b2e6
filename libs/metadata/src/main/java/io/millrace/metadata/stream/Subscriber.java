package io.millrace.metadata.stream;

/// A node whose stream is up.
///
/// @param stream differs for each stream, also of the same node
/// @param hello what the node said of itself
/// @param remote address of the other end, for logs
public record Subscriber(long stream, Hello hello, String remote) {
    /// As logs name it.
    @Override
    public String toString() {
        return hello.role() + "-" + hello.id() + "#" + stream;
    }
}
