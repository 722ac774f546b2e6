package io.millrace.coordinator.group.classic;

import java.util.Map;

import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.JoinGroupResponseData;

/// Why a group is stored, and so what follows once it is, or is not.
public sealed interface Intent {
    /// The leader's assignment of a generation; the members get it once it is stored.
    record Assign(int generation, Map<String, Bytes> assignments) implements Intent {
        public Assign {
            assignments = Map.copyOf(assignments);
        }
    }

    /// A static member came back under a new id, without a rebalance.
    ///
    /// @param before as it was, to return to
    /// @param ticket of its JoinGroup
    /// @param answer what it gets once the group is stored
    record Restart(int generation, Member before, String newId, long ticket, JoinGroupResponseData answer)
            implements
                Intent {}

    /// The last member left: the group's offsets begin to age. Nothing depends on its success, since the age of a commit
    /// counts where this record is missing.
    record Emptied() implements Intent {}
}
