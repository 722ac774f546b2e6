package io.millrace.controller;

import java.util.Map;
import java.util.random.RandomGenerator;

import io.millrace.controller.core.Decider;
import io.millrace.controller.core.GroupTopic;
import io.millrace.controller.topic.TopicRules;
import io.millrace.service.config.ServerSettings;
import lombok.extern.slf4j.Slf4j;

/// The rules of this controller, from its settings.
@Slf4j
final class Decisions {
    /// Followers do not fetch yet, so a second replica would never be in sync.
    private static final int MAX_REPLICATION_FACTOR = 1;

    private Decisions() {}

    static Decider of(ServerSettings settings) {
        var rules = new TopicRules(settings.getInt("num.partitions"), settings.getInt("default.replication.factor"),
                MAX_REPLICATION_FACTOR, settings.getBoolean("delete.topic.enable"));
        return new Decider(rules, new SettingRules(settings), groupTopic(settings), settings.getBoolean(
                "unclean.leader.election.enable"), new NewIds(), RandomGenerator.getDefault());
    }

    private static GroupTopic groupTopic(ServerSettings settings) {
        int wanted = settings.getInt("offsets.topic.replication.factor");
        if (wanted > MAX_REPLICATION_FACTOR) {
            log.warn("offsets.topic.replication.factor={} is more than this version keeps in sync, using {}", wanted,
                    MAX_REPLICATION_FACTOR);
        }
        return new GroupTopic(settings.getInt("offsets.topic.num.partitions"), Math.min(wanted, MAX_REPLICATION_FACTOR),
                Map
                        .of("cleanup.policy", "compact", "compression.type", "producer", "segment.bytes", Integer
                                .toString(settings
                                        .getInt("offsets.topic.segment.bytes"))));
    }
}
