package io.millrace.controller;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.controller.core.BalancePlan;
import io.millrace.controller.core.Decider;
import io.millrace.controller.core.InternalTopic;
import io.millrace.controller.core.InternalTopics;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.partition.LeaderBalance;
import io.millrace.controller.topic.TopicRules;
import io.millrace.service.config.ServerSettings;

/// The rules of this controller, from its settings.
public final class Decisions {
    private Decisions() {}

    static Decider of(ServerSettings settings) {
        return of(settings, new NewIds(), RandomGenerator.getDefault());
    }

    /// @param ids of new topics, none given twice
    /// @param random where placement begins
    public static Decider of(ServerSettings settings, Supplier<UUID> ids, RandomGenerator random) {
        var rules = new TopicRules(settings.getInt("num.partitions"), settings.getInt("default.replication.factor"),
                settings.getBoolean("delete.topic.enable"));
        return new Decider(rules, new SettingRules(settings), internalTopics(settings), new ElectionRules(settings
                .getBoolean("unclean.leader.election.enable"), settings.getInt("min.insync.replicas")), ids, random);
    }

    /// How leaderships go back to the preferred replicas by themselves; empty where they do not.
    public static Optional<BalancePlan> balance(ServerSettings settings) {
        return settings.getBoolean("auto.leader.rebalance.enable")
                ? Optional.of(new BalancePlan(Duration.ofSeconds(settings.getLong(
                        "leader.imbalance.check.interval.seconds")), new LeaderBalance(settings.getInt(
                                "leader.imbalance.per.broker.percentage"))))
                : Optional.empty();
    }

    private static InternalTopics internalTopics(ServerSettings settings) {
        var groups = new InternalTopic(settings.getInt("offsets.topic.num.partitions"),
                settings.getInt("offsets.topic.replication.factor"),
                Map.of("cleanup.policy", "compact", "compression.type", "producer", "segment.bytes",
                        Integer.toString(settings.getInt("offsets.topic.segment.bytes"))));
        var transactions = new InternalTopic(settings.getInt("transaction.state.log.num.partitions"),
                settings.getInt("transaction.state.log.replication.factor"),
                Map.of("cleanup.policy", "compact", "compression.type", "uncompressed", "segment.bytes",
                        Integer.toString(settings.getInt("transaction.state.log.segment.bytes")),
                        "min.insync.replicas", Integer.toString(settings.getInt("transaction.state.log.min.isr")),
                        "unclean.leader.election.enable", "false"));
        return new InternalTopics(groups, transactions);
    }
}
