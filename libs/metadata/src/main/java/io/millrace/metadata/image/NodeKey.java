package io.millrace.metadata.image;

import java.util.Comparator;

/// Names a node through all its registrations.
public record NodeKey(Role role, int id) implements Comparable<NodeKey> {
    private static final Comparator<NodeKey> ORDER = Comparator.comparing(NodeKey::role).thenComparingInt(NodeKey::id);

    @Override
    public int compareTo(NodeKey other) {
        return ORDER.compare(this, other);
    }

    /// The same in every process, unlike that of an enum, so that maps of nodes have the same order in a replay.
    @Override
    public int hashCode() {
        return 31 * role.name().hashCode() + id;
    }
}
