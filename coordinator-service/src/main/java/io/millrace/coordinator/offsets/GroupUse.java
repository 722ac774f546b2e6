package io.millrace.coordinator.offsets;

import java.util.Set;

/// How a group uses its offsets, which decides whether they age.
public sealed interface GroupUse {
    /// Nobody is a member and nobody ever was: clients commit on their own. Offsets age from their commit.
    record Simple() implements GroupUse {}

    /// Members have left. Offsets age from that moment, or from a commit after it.
    ///
    /// @param sinceMillis wall time; -1 where it is not known
    record Abandoned(long sinceMillis) implements GroupUse {}

    /// Members read these topics, whose offsets do not age; those of others age from their commit.
    record Subscribed(Set<String> topics) implements GroupUse {
        public Subscribed {
            topics = Set.copyOf(topics);
        }
    }

    /// In use, and it cannot be told for what: nothing ages.
    record InUse() implements GroupUse {}
}
