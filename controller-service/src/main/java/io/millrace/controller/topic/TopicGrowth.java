package io.millrace.controller.topic;

import java.util.List;

import io.millrace.controller.reassignment.Reassignment;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;

/// Whether a topic may get more partitions, and where they go. A partition that is being moved counts with the replicas it
/// will have.
public final class TopicGrowth {
    /// @return replicas of each new partition, in the order of their numbers
    /// @throws Refused with Kafka's code and text
    public List<List<Integer>> plan(PartitionsSpec wanted, ClusterImage image) {
        var topic = image.topic(wanted.topic())
                .orElseThrow(() -> new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic '" + wanted.topic()
                        + "' does not exist."));
        if (Topic.GROUP_METADATA_TOPIC_NAME.equals(topic.name())) {
            throw invalid("The number of partitions of " + topic.name()
                    + " says where each group's offsets are: growing it would lose them.");
        }
        int current = topic.partitions().size();
        if (wanted.count() == current) {
            throw invalid("Topic already has " + current + " partitions.");
        }
        if (wanted.count() < current) {
            throw invalid("Topic currently has " + current + " partitions, which is higher than the requested "
                    + wanted.count() + ".");
        }
        return wanted.assignments().isEmpty() ? placed(wanted, topic, image) : manual(wanted, topic, image);
    }

    /// How many new partitions are wanted in all.
    public static long partitionsOf(List<PartitionsSpec> wanted, ClusterImage image) {
        return wanted.stream()
                .mapToLong(spec -> spec.count() - image.topic(spec.topic()).map(topic -> topic.partitions().size())
                        .orElse(
                                0))
                .filter(added -> added > 0)
                .sum();
    }

    private List<List<Integer>> placed(PartitionsSpec wanted, TopicImage topic, ClusterImage image) {
        var brokers = image.liveBrokers();
        var first = topic.partitions().getFirst();
        int replicationFactor = Reassignment.replicationFactor(first);
        Replication.check(replicationFactor, brokers.size());
        int current = topic.partitions().size();
        return Placement.over(brokers).grow(current, wanted.count() - current, replicationFactor, first.replicas()
                .getFirst());
    }

    private List<List<Integer>> manual(PartitionsSpec wanted, TopicImage topic, ClusterImage image) {
        int added = wanted.count() - topic.partitions().size();
        if (wanted.assignments().size() != added) {
            throw Assignments.invalid("Increasing the number of partitions by " + added + " but "
                    + wanted.assignments().size() + " assignments provided.");
        }
        int replicationFactor = Reassignment.replicationFactor(topic.partitions().getFirst());
        Assignments.check(wanted.assignments(), replicationFactor, image);
        return wanted.assignments();
    }

    private static Refused invalid(String message) {
        return new Refused(Errors.INVALID_PARTITIONS, message);
    }
}
