package io.millrace.coordinator.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.group.LastRebalance;
import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.consumer.ConsumerEffect;
import io.millrace.coordinator.group.consumer.ConsumerEvent;
import io.millrace.coordinator.group.consumer.ConsumerGroup;
import io.millrace.coordinator.group.consumer.ConsumerStep;
import io.millrace.coordinator.group.consumer.ConsumerTimer;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// Drives the consumer group machine: gives it events, stores what it decides, and carries out what follows. While records
/// of a group are on their way its events wait, and then go together. Belongs to the shard's loop.
@Slf4j
final class ConsumerGroups {
    /// Events that wait for one group; beyond, clients are told to try again.
    private static final int MOST_WAITING = 100_000;

    private final ConsumerDecisions decisions;
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final ClassicGroups classic;
    private final ShardMetrics metrics;
    private final GroupTimers<ConsumerTimer> timers;
    private final Tickets tickets = new Tickets();
    private final Map<String, Deque<ConsumerEvent>> waiting = new HashMap<>();

    /// @param classic for groups that change their protocol
    ConsumerGroups(Loop loop, ConsumerDecisions decisions, GroupTable table, AppendQueue<GroupRecord> appends,
            ClassicGroups classic, ShardMetrics metrics) {
        this.decisions = decisions;
        this.table = table;
        this.appends = appends;
        this.classic = classic;
        this.metrics = metrics;
        timers = new GroupTimers<>(loop);
    }

    /// Whether requests for the group belong here: it is a consumer group, or is becoming one.
    boolean owns(String groupId) {
        return waiting.containsKey(groupId) || table.find(groupId).flatMap(GroupSlot::consumer).isPresent();
    }

    /// A request: the answer comes once what it changed is stored.
    ///
    /// @param event made with the ticket of this request
    <A extends ApiMessage> CompletableFuture<A> ask(String groupId, Class<A> type, LongFunction<ConsumerEvent> event) {
        return tickets.open(type, ticket -> {
            var queue = waiting.get(groupId);
            if (queue != null && queue.size() >= MOST_WAITING) {
                tickets.refuse(ticket, new Refused(Errors.COORDINATOR_NOT_AVAILABLE, "group " + groupId + " is busy"));
            } else {
                happen(groupId, event.apply(ticket));
            }
        });
    }

    /// Begins the sessions of the members that were loaded.
    void loaded() {
        table.all().stream().filter(slot -> slot.consumer().isPresent())
                .forEach(slot -> happen(slot.groupId(), new ConsumerEvent.Loaded()));
    }

    /// Ends it: timers stop, whoever waits is told that this is not the coordinator.
    void close() {
        timers.close();
        waiting.clear();
        tickets.close();
    }

    private void happen(String groupId, ConsumerEvent event) {
        var queue = waiting.get(groupId);
        if (queue == null) {
            decide(groupId, List.of(event));
        } else {
            queue.add(event);
        }
    }

    private void decide(String groupId, List<ConsumerEvent> events) {
        var slot = table.find(groupId);
        var consumer = slot.flatMap(GroupSlot::consumer);
        var former = slot.map(GroupSlot::group).orElseGet(() -> ClassicGroup.empty(groupId));
        if (consumer.isEmpty() && !former.members().isEmpty()) {
            upgrade(former, events);
            return;
        }
        var step = decisions.step(consumer.orElseGet(() -> ConsumerGroup.empty(groupId)), events);
        if (step.records().isEmpty()) {
            slot.filter(found -> consumer.isPresent()).ifPresent(found -> table.become(found, step.group()));
            carryOut(groupId, step.effects());
            return;
        }
        var records = new ArrayList<GroupRecord>(step.records());
        if (!former.isBlank()) {
            records.addFirst(new GroupRemoved(groupId)); // a classic group that nobody is in
        }
        append(groupId, records, error -> settled(groupId, step, error));
    }

    /// A classic group with members becomes a consumer group. Its sessions stand still until that is stored.
    private void upgrade(ClassicGroup group, List<ConsumerEvent> events) {
        var groupId = group.groupId();
        var step = decisions.upgrade(group, events);
        if (step.isEmpty()) {
            events.forEach(event -> tickets.refuse(event.ticketOrNone(), new Refused(group.isRebalancing()
                    ? Errors.COORDINATOR_LOAD_IN_PROGRESS
                    : Errors.GROUP_ID_NOT_FOUND, "group " + groupId + " is a classic group")));
            return;
        }
        classic.suspend(groupId);
        append(groupId, step.get().records(), error -> {
            settled(groupId, step.get(), error);
            if (error != Errors.NONE) {
                classic.resume(groupId);
            }
        });
    }

    /// A consumer group that nobody is in makes room for a classic one.
    CompletableFuture<Errors> giveUp(GroupSlot slot) {
        var done = new CompletableFuture<Errors>();
        var groupId = slot.groupId();
        var records = slot.removal();
        append(groupId, records, error -> {
            if (error == Errors.NONE) {
                records.forEach(table::replay);
            }
            refuseWaiting(groupId);
            done.complete(AppendErrors.forClient(error));
        });
        return done;
    }

    private void append(String groupId, List<GroupRecord> records, AppendQueue.Outcome outcome) {
        var slot = table.findOrCreate(groupId);
        slot.changing(true);
        waiting.put(groupId, new ArrayDeque<>());
        appends.append(records, error -> {
            outcome.settled(error);
            slot.changing(false);
            table.forgetIfBlank(slot);
            next(groupId);
        });
    }

    private void settled(String groupId, ConsumerStep step, Errors error) {
        if (error != Errors.NONE) {
            refuse(step.effects(), AppendErrors.forClient(error));
            return;
        }
        var slot = table.findOrCreate(groupId);
        var before = slot.state();
        table.become(slot, ClassicGroup.empty(groupId));
        table.become(slot, step.classic() ? null : step.group());
        if (step.classic()) {
            step.records().stream().filter(GroupPut.class::isInstance).forEach(table::replay);
        }
        if (!step.reason().isEmpty()) {
            metrics.consumerRebalanced();
            slot.rebalances(new LastRebalance(decisions.clock().millis(), step.reason()));
            log.info("group={} from={} to={} epoch={} members={} reason=\"{}\"", groupId, before.label(),
                    slot.state().label(), step.group().epoch(), step.group().members().size(), step.reason());
        }
        carryOut(groupId, step.effects());
        if (step.classic()) {
            refuseWaiting(groupId);
            classic.converted(groupId);
        }
    }

    private void next(String groupId) {
        var queue = waiting.remove(groupId);
        if (queue != null && !queue.isEmpty()) {
            decide(groupId, List.copyOf(queue));
        }
    }

    /// Who came meanwhile finds the group to be of the other kind next time.
    private void refuseWaiting(String groupId) {
        var queue = waiting.remove(groupId);
        if (queue != null) {
            queue.forEach(event -> tickets.refuse(event.ticketOrNone(),
                    new Refused(Errors.COORDINATOR_NOT_AVAILABLE, "group " + groupId + " changes its protocol")));
        }
    }

    private void refuse(List<ConsumerEffect> effects, Errors error) {
        for (var effect : effects) {
            if (effect instanceof ConsumerEffect.Answer(var ticket, _)) {
                tickets.refuse(ticket, new Refused(error, "the group's records could not be stored"));
            }
        }
    }

    private void carryOut(String groupId, List<ConsumerEffect> effects) {
        for (var effect : effects) {
            switch (effect) {
                case ConsumerEffect.Answer(var ticket, var response) -> tickets.answer(ticket, response);
                case ConsumerEffect.Arm(var timer, var delayMillis, var event) -> arm(groupId, timer, delayMillis,
                        event);
                case ConsumerEffect.ArmUnlessRunning(var timer, var delayMillis, var event) -> {
                    if (!timers.isRunning(groupId, timer)) {
                        arm(groupId, timer, delayMillis, event);
                    }
                }
                case ConsumerEffect.Disarm(var timer) -> timers.disarm(groupId, timer);
            }
        }
    }

    private void arm(String groupId, ConsumerTimer timer, long delayMillis, ConsumerEvent event) {
        timers.arm(groupId, timer, delayMillis, () -> happen(groupId, event));
    }
}
