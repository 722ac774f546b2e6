package io.millrace.controller.topic;

import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Whether a topic may be created, and with which replicas.
public final class TopicCreation {
    private final TopicRules rules;
    private final ConfigRules configs;
    private final RandomGenerator random;

    /// @param random where placement begins
    public TopicCreation(TopicRules rules, ConfigRules configs, RandomGenerator random) {
        this.rules = rules;
        this.configs = configs;
        this.random = random;
    }

    /// @throws Refused with Kafka's code and text
    public TopicPlan plan(NewTopic wanted, ClusterImage image) {
        TopicNames.check(wanted.name());
        if (image.topic(wanted.name()).isPresent()) {
            throw new Refused(Errors.TOPIC_ALREADY_EXISTS, "Topic '" + wanted.name() + "' already exists.");
        }
        TopicNames.checkCollision(wanted.name(), image.topics().byName().keySet());
        var assignments = wanted.assignments().isEmpty() ? placed(wanted, image) : manual(wanted, image);
        configs.problem(wanted.configs()).ifPresent(problem -> {
            throw new Refused(Errors.INVALID_CONFIG, problem);
        });
        return new TopicPlan(wanted.name(), assignments, wanted.configs());
    }

    /// How many partitions are wanted in all.
    public long partitionsOf(List<NewTopic> wanted) {
        return wanted.stream().mapToLong(this::partitionsOf).filter(count -> count > 0).sum();
    }

    private int partitionsOf(NewTopic wanted) {
        if (!wanted.assignments().isEmpty()) {
            return wanted.assignments().size();
        }
        return wanted.partitions() == CreateTopics.DEFAULT ? rules.defaultPartitions() : wanted.partitions();
    }

    private List<List<Integer>> placed(NewTopic wanted, ClusterImage image) {
        int partitions = partitionsOf(wanted);
        int replicationFactor = wanted.replicationFactor() == CreateTopics.DEFAULT
                ? rules.defaultReplicationFactor()
                : wanted.replicationFactor();
        if (partitions <= 0) {
            throw new Refused(Errors.INVALID_PARTITIONS,
                    "Number of partitions must be larger than 0, or -1 to use the default value.");
        }
        var brokers = image.liveBrokers();
        Replication.check(replicationFactor, brokers.size());
        return Placement.over(brokers).place(partitions, replicationFactor, random);
    }

    private List<List<Integer>> manual(NewTopic wanted, ClusterImage image) {
        if (wanted.partitions() != CreateTopics.DEFAULT || wanted.replicationFactor() != CreateTopics.DEFAULT) {
            throw new Refused(Errors.INVALID_REQUEST, "Both numPartitions or replicationFactor and replicasAssignments "
                    + "were set. Both cannot be used at the same time.");
        }
        var byPartition = new TreeMap<>(wanted.assignments());
        if (byPartition.firstKey() != 0 || byPartition.lastKey() != byPartition.size() - 1) {
            throw Assignments.invalid("partitions should be a consecutive 0-based integer sequence");
        }
        var assignments = List.copyOf(byPartition.values());
        Assignments.check(assignments, assignments.getFirst().size(), image);
        return assignments;
    }
}
