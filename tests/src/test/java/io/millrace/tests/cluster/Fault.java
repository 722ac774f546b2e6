package io.millrace.tests.cluster;

import java.util.Set;

/// Something that goes wrong, and ends.
///
/// @param targets names of what it strikes: two faults with a target in common do not go together
record Fault(String name, Set<String> targets, Runnable begin, Runnable end) {

    Fault {
        targets = Set.copyOf(targets);
    }

    boolean excludes(Fault other) {
        return targets.stream().anyMatch(other.targets()::contains);
    }

    @Override
    public String toString() {
        return name;
    }
}
