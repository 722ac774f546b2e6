package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.millrace.coordinator.record.ConsumerGroupRecord;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// One step in the making: the group as the records so far make it. It lives as long as one call of
/// [ConsumerMachine#step].
final class ConsumerTurn {
    private final ConsumerRules rules;
    private final ConsumerContext context;
    private final List<GroupRecord> records = new ArrayList<>();
    private final List<ConsumerEffect> effects = new ArrayList<>();
    private final Set<String> heard = new HashSet<>();
    private ConsumerGroup group;
    private String reason = "";
    private @Nullable Map<Uuid, Map<Integer, String>> holders;

    ConsumerTurn(ConsumerGroup group, ConsumerRules rules, ConsumerContext context) {
        this.group = group;
        this.rules = rules;
        this.context = context;
    }

    ConsumerStep end() {
        return new ConsumerStep(records, group, effects, reason, false);
    }

    /// Ends it with the group being a classic one.
    ConsumerStep endAsClassic() {
        for (var memberId : group.members().keySet()) {
            disarm(new ConsumerTimer.Session(memberId));
            disarm(new ConsumerTimer.Revocation(memberId));
            disarm(new ConsumerTimer.Rejoin(memberId));
            disarm(new ConsumerTimer.Sync(memberId));
        }
        records.addAll(Conversion.downgrade(group, context));
        return new ConsumerStep(records, ConsumerGroup.empty(group.groupId()), effects, reason, true);
    }

    ConsumerGroup group() {
        return group;
    }

    ConsumerRules rules() {
        return rules;
    }

    ConsumerContext context() {
        return context;
    }

    void emit(ConsumerGroupRecord record) {
        records.add(record);
        group = group.replay(record);
    }

    void answer(long ticket, ApiMessage response) {
        effects.add(new ConsumerEffect.Answer(ticket, response));
    }

    /// The targets are to be made anew.
    void changed(String why) {
        reason = reason.isEmpty() ? why : reason;
    }

    boolean isChanged() {
        return !reason.isEmpty();
    }

    void lookedAtTopics() {
        group = group.lookedAt(context.topics().version());
    }

    /// The member is heard of: its session begins anew.
    void keepAlive(ConsumerMember member) {
        heard.add(member.id());
        var classic = member.metadata().classic();
        long session = classic == null ? context.terms().sessionTimeoutMillis() : classic.sessionTimeoutMillis();
        arm(new ConsumerTimer.Session(member.id()), session, new ConsumerEvent.SessionExpired(member.id()));
    }

    /// Whether it was heard of in this very step.
    boolean isHeard(String memberId) {
        return heard.contains(memberId);
    }

    void arm(ConsumerTimer timer, long delayMillis, ConsumerEvent event) {
        effects.add(new ConsumerEffect.Arm(timer, delayMillis, event));
    }

    void armUnlessRunning(ConsumerTimer timer, long delayMillis, ConsumerEvent event) {
        effects.add(new ConsumerEffect.ArmUnlessRunning(timer, delayMillis, event));
    }

    void disarm(ConsumerTimer timer) {
        effects.add(new ConsumerEffect.Disarm(timer));
    }

    /// Takes a member out, with all that it held.
    void remove(String memberId) {
        emit(new CurrentRemoved(group.groupId(), memberId));
        emit(new TargetRemoved(group.groupId(), memberId));
        emit(new MemberRemoved(group.groupId(), memberId));
        disarm(new ConsumerTimer.Session(memberId));
        disarm(new ConsumerTimer.Revocation(memberId));
        disarm(new ConsumerTimer.Rejoin(memberId));
        disarm(new ConsumerTimer.Sync(memberId));
        holders = null;
    }

    /// Leads a member on to its target, as far as it may go now.
    ///
    /// @param owned what it says it has; null where it did not say
    ConsumerMember reconcile(ConsumerMember member, @Nullable Partitions owned) {
        var next = new Reconciliation(group.target(member.id()), group.targetEpoch(),
                (topic, partition) -> isHeldByOther(member.id(), topic, partition)).next(member.current(), owned);
        if (next.equals(member.current())) {
            return member;
        }
        emit(new CurrentPut(group.groupId(), member.id(), next));
        hold(member.id(), member.current(), next);
        limitRevocation(member, next);
        return member.with(next);
    }

    /// A member has its own time to give up what it was told to.
    private void limitRevocation(ConsumerMember member, MemberAssignment next) {
        if (next.state() != State.UNREVOKED) {
            disarm(new ConsumerTimer.Revocation(member.id()));
        } else if (member.current().state() != State.UNREVOKED) {
            arm(new ConsumerTimer.Revocation(member.id()), member.metadata().rebalanceTimeoutMillis(),
                    new ConsumerEvent.RevocationExpired(member.id(), next.epoch()));
        }
    }

    boolean isHeldByOther(String memberId, Uuid topic, int partition) {
        var holder = holders().getOrDefault(topic, Map.of()).get(partition);
        return holder != null && !holder.equals(memberId);
    }

    private void hold(String memberId, MemberAssignment before, MemberAssignment next) {
        var map = holders();
        each(before.held().minus(next.held()), (topic, partition) -> map.getOrDefault(topic, new HashMap<>()).remove(
                partition));
        each(next.held(), (topic, partition) -> map.computeIfAbsent(topic, _ -> new HashMap<>()).put(partition,
                memberId));
    }

    private Map<Uuid, Map<Integer, String>> holders() {
        if (holders == null) {
            var map = new HashMap<Uuid, Map<Integer, String>>();
            group.members().values().forEach(member -> each(member.current().held(),
                    (topic, partition) -> map.computeIfAbsent(topic, _ -> new HashMap<>()).put(partition,
                            member.id())));
            holders = map;
        }
        return holders;
    }

    private static void each(Partitions partitions, BiConsumer<Uuid, Integer> visit) {
        partitions.byTopic().forEach((topic, numbers) -> numbers.forEach(number -> visit.accept(topic, number)));
    }
}
