package io.millrace.controller.shard;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The coordinators that serve, by id.
///
/// @param active may be given shards
/// @param leaving are about to stop: they serve what they own until somebody else is ready for it, and are given nothing
public record Owners(SortedSet<Integer> active, Set<Integer> leaving) {
    public Owners {
        active = new TreeSet<>(active);
        leaving = Set.copyOf(leaving);
    }

    /// Whether that one serves what it owns.
    boolean serves(int coordinator) {
        return active.contains(coordinator) || leaving.contains(coordinator);
    }
}
