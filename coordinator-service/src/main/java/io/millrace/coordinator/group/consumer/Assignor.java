package io.millrace.coordinator.group.consumer;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;

/// Gives the partitions of the subscribed topics to members, each to one that subscribed to its topic.
public enum Assignor {
    /// As even as can be over all topics, moving as little as can be from what members had.
    UNIFORM("uniform") {
        @Override
        Map<String, Partitions> assign(Task task) {
            return new UniformAssignment(task).assign();
        }
    },
    /// Each topic by itself, in ranges of neighbours, so that topics of equal size are dealt out alike.
    RANGE("range") {
        @Override
        Map<String, Partitions> assign(Task task) {
            return RangeAssignment.assign(task);
        }
    };

    private final String label;

    Assignor(String label) {
        this.label = label;
    }

    /// The name by which clients ask for it.
    public String label() {
        return label;
    }

    /// The one of that name.
    public static Optional<Assignor> named(String label) {
        return Arrays.stream(values()).filter(assignor -> assignor.label.equals(label)).findFirst();
    }

    /// What is to be dealt out, to whom.
    ///
    /// @param members by id
    /// @param partitions of each topic that is there, by its id
    record Task(SortedMap<String, Candidate> members, SortedMap<Uuid, Integer> partitions) {}

    /// A member as an assignor sees it.
    ///
    /// @param rank orders members: of a static member its instance id, which stays
    /// @param topics subscribed to, and there
    /// @param had the member's target so far
    record Candidate(String id, String rank, Set<Uuid> topics, Partitions had) {}

    /// The targets of all members, by id.
    abstract Map<String, Partitions> assign(Task task);
}
