package io.millrace.metadata.image;

import java.util.Optional;
import java.util.UUID;

import io.millrace.base.check.Check;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/// A topic and its partitions.
///
/// @param id never given twice, so that a topic created again under its old name is another topic
/// @param partitions the one numbered n at place n
public record TopicImage(String name, UUID id, PVector<PartitionImage> partitions) {
    /// A topic whose partitions are still to come.
    public static TopicImage of(String name, UUID id) {
        return new TopicImage(name, id, TreePVector.empty());
    }

    /// The partition of that number.
    public Optional<PartitionImage> partition(int number) {
        return number >= 0 && number < partitions.size() ? Optional.of(partitions.get(number)) : Optional.empty();
    }

    /// With `partition` in place of the one of its number, or as the next one.
    ///
    /// @throws IllegalArgumentException where its number would leave a gap
    public TopicImage with(PartitionImage partition) {
        int number = partition.partition();
        Check.argument(number >= 0 && number <= partitions.size(), "topic=%s partition=%d after %d partitions", name,
                number, partitions.size());
        return new TopicImage(name, id,
                number == partitions.size() ? partitions.plus(partition) : partitions.with(number, partition));
    }
}
