package io.millrace.coordinator.group.consumer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import io.millrace.coordinator.group.consumer.Assignor.Candidate;
import io.millrace.coordinator.group.consumer.Assignor.Task;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import org.apache.kafka.common.Uuid;

/// The group's epoch, and the targets of its members.
final class Targets {
    private static final long HASH_BASE = 1_099_511_628_211L;

    private Targets() {}

    /// Where members, subscriptions or topics changed the group gets a new epoch, and with it new targets.
    static void settle(ConsumerTurn turn) {
        var group = turn.group();
        if (turn.isChanged() || group.topicsVersion() != turn.context().topics().version()) {
            long hash = hash(group, turn.context().topics());
            if (hash != group.metadataHash() && !group.members().isEmpty()) {
                turn.changed("topics changed");
            }
            if (turn.isChanged()) {
                turn.emit(new EpochPut(group.groupId(), group.epoch() + 1, hash));
            }
            turn.lookedAtTopics();
        }
        if (turn.group().epoch() > turn.group().targetEpoch()) {
            assign(turn);
        }
    }

    private static void assign(ConsumerTurn turn) {
        var group = turn.group();
        var topics = turn.context().topics();
        var task = new Task(new TreeMap<>(), new TreeMap<>());
        group.members().values().forEach(member -> task.members().put(member.id(), new Candidate(member.id(),
                member.rank(), member.topicIds(topics), group.target(member.id()))));
        task.members().values().forEach(member -> member.topics().forEach(id -> topics.of(id).ifPresent(
                topic -> task.partitions().put(id, topic.partitions().size()))));
        var targets = assignor(group, turn.rules()).assign(task);
        new TreeMap<>(targets).forEach((member, target) -> {
            if (!group.targets().containsKey(member) || !group.target(member).equals(target)) {
                turn.emit(new TargetPut(group.groupId(), member, target));
            }
        });
        // Last, so that targets of which only some are in the log are made again.
        turn.emit(new TargetEpochPut(group.groupId(), group.epoch(), turn.context().nowMillis()));
    }

    /// The one that most members ask for; the default where none asks.
    static Assignor assignor(ConsumerGroup group, ConsumerRules rules) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        group.members().values().forEach(member -> {
            var asked = member.metadata().serverAssignor();
            if (asked != null && rules.offers(asked)) {
                votes.merge(asked, 1, Integer::sum);
            }
        });
        var most = votes.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
        return most.flatMap(Assignor::named).orElseGet(() -> rules.assignors().getFirst());
    }

    /// Of what assignments depend on; never 0.
    private static long hash(ConsumerGroup group, TopicDirectory topics) {
        var counts = new TreeMap<Uuid, Integer>();
        group.subscribedTopics(topics).forEach(name -> topics.named(name).ifPresent(
                topic -> counts.put(TopicDirectory.id(topic), topic.partitions().size())));
        long hash = HASH_BASE;
        for (var topic : counts.entrySet()) {
            hash = HASH_BASE * (hash ^ topic.getKey().getMostSignificantBits());
            hash = HASH_BASE * (hash ^ topic.getKey().getLeastSignificantBits());
            hash = HASH_BASE * (hash ^ topic.getValue());
        }
        return hash == 0 ? 1 : hash;
    }
}
