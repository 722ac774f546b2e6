package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.MemberAssignment.State;

/// The consumer group protocol: `(group, events) → (records, next group, effects)`. Rules and error codes are Kafka's.
public final class ConsumerMachine {
    private final ConsumerRules rules;

    /// @param rules that all groups go by
    public ConsumerMachine(ConsumerRules rules) {
        this.rules = rules;
    }

    /// The rules of all groups.
    public ConsumerRules rules() {
        return rules;
    }

    /// The same for a classic group with members that is to become a consumer group: each has what it had, until it is told
    /// otherwise. Empty where the group cannot change now, or must not.
    public Optional<ConsumerStep> upgrade(ClassicGroup group, List<ConsumerEvent> events, ConsumerContext context) {
        return Conversion.upgrade(group, rules, context).map(converted -> {
            var consumer = ConsumerGroup.empty(group.groupId());
            for (var record : converted) {
                consumer = consumer.replay(record);
            }
            var step = step(consumer, with(new ConsumerEvent.Loaded(), events), context);
            var records = new ArrayList<GroupRecord>(converted);
            records.addFirst(new GroupRemoved(group.groupId()));
            records.addAll(step.records());
            return new ConsumerStep(records, step.group(), step.effects(), step.reason(), step.classic());
        });
    }

    private static List<ConsumerEvent> with(ConsumerEvent first, List<ConsumerEvent> events) {
        var all = new ArrayList<>(events);
        all.addFirst(first);
        return all;
    }

    /// Decides events that came together: first who is in the group and for what, then what each is to have, and last
    /// what each that reported may have now.
    public ConsumerStep step(ConsumerGroup group, List<ConsumerEvent> events, ConsumerContext context) {
        var turn = new ConsumerTurn(group, rules, context);
        var reports = new ArrayList<Pending>();
        for (var event : events) {
            switch (event) {
                case ConsumerEvent.Heartbeat heartbeat -> Membership.heartbeat(turn, heartbeat).ifPresent(reports::add);
                case ConsumerEvent.ClassicJoin join -> ClassicMembers.join(turn, join).ifPresent(reports::add);
                case ConsumerEvent.ClassicSync sync -> ClassicMembers.sync(turn, sync);
                case ConsumerEvent.ClassicHeartbeat heartbeat -> reports.add(ClassicMembers.heartbeat(heartbeat));
                case ConsumerEvent.ClassicLeave leave -> ClassicMembers.leave(turn, leave);
                case ConsumerEvent.ClassicExpired(var memberId, var why) -> ClassicMembers.expired(turn, memberId, why);
                case ConsumerEvent.SessionExpired(var memberId) -> sessionExpired(turn, memberId);
                case ConsumerEvent.RevocationExpired(var memberId, var epoch) ->
                    revocationExpired(turn, memberId, epoch);
                case ConsumerEvent.Loaded() -> loaded(turn);
            }
        }
        boolean changes = turn.isChanged();
        Targets.settle(turn);
        reports.forEach(report -> report.answer(turn));
        return changes && Conversion.isDue(turn.group(), rules) ? turn.endAsClassic() : turn.end();
    }

    private static void sessionExpired(ConsumerTurn turn, String memberId) {
        if (turn.group().members().containsKey(memberId) && !turn.isHeard(memberId)) {
            turn.remove(memberId);
            turn.changed("session expired of " + memberId);
        }
    }

    private static void revocationExpired(ConsumerTurn turn, String memberId, int epoch) {
        var member = turn.group().members().get(memberId);
        if (member != null && member.current().state() == State.UNREVOKED && member.current().epoch() == epoch) {
            turn.remove(memberId);
            turn.changed("partitions not given up in time by " + memberId);
        }
    }

    private static void loaded(ConsumerTurn turn) {
        for (var member : turn.group().members().values()) {
            turn.keepAlive(member);
            if (member.current().state() == State.UNREVOKED) {
                turn.arm(new ConsumerTimer.Revocation(member.id()), member.metadata().rebalanceTimeoutMillis(),
                        new ConsumerEvent.RevocationExpired(member.id(), member.current().epoch()));
            }
        }
    }
}
