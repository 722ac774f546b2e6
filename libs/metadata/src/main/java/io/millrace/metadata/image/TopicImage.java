package io.millrace.metadata.image;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.millrace.base.check.Check;

/// A topic and its partitions.
///
/// @param id never given twice, so that a topic created again under its old name is another topic
/// @param partitions the one numbered n at place n
public record TopicImage(String name, UUID id, List<PartitionImage> partitions) {
    public TopicImage {
        partitions = List.copyOf(partitions);
    }

    /// A topic whose partitions are still to come.
    public static TopicImage of(String name, UUID id) {
        return new TopicImage(name, id, List.of());
    }

    /// The partition of that number.
    public Optional<PartitionImage> partition(int number) {
        return number >= 0 && number < partitions.size() ? Optional.of(partitions.get(number)) : Optional.empty();
    }

    /// With `partition` in place of the one of its number, or as the next one.
    ///
    /// @throws IllegalArgumentException where its number would leave a gap
    public TopicImage with(PartitionImage partition) {
        return with(List.of(partition));
    }

    /// With each of `changed` in place of the one of its number, or as the next one, in their order. The whole costs a
    /// copy of as many references as there are partitions, so many are better changed together.
    ///
    /// @throws IllegalArgumentException where a number would leave a gap
    public TopicImage with(Collection<PartitionImage> changed) {
        var next = new ArrayList<PartitionImage>(partitions.size() + changed.size());
        next.addAll(partitions);
        for (var partition : changed) {
            int number = partition.partition();
            Check.argument(number >= 0 && number <= next.size(), "topic=%s partition=%d after %d partitions", name,
                    number, next.size());
            if (number == next.size()) {
                next.add(partition);
            } else {
                next.set(number, partition);
            }
        }
        return new TopicImage(name, id, next);
    }
}
