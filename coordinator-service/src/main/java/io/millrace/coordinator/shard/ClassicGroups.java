package io.millrace.coordinator.shard;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.ClassicMachine;
import io.millrace.coordinator.group.classic.Effect;
import io.millrace.coordinator.group.classic.GroupEvent;
import io.millrace.coordinator.group.classic.Step;
import io.millrace.coordinator.group.classic.Timer;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// Drives the classic machine: gives it events, and carries out what it asks for. Belongs to the shard's loop.
@Slf4j
final class ClassicGroups {
    private final Loop loop;
    private final Clock clock;
    private final ClassicMachine machine;
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final ShardMetrics metrics;
    private final Map<TimerKey, Timeout> timers = new HashMap<>();
    private final Map<Long, Ticket<?>> tickets = new HashMap<>();
    private long lastTicket;

    private record TimerKey(String groupId, Timer timer) {}

    private record Ticket<A>(CompletableFuture<A> answer, Class<A> type) {
        void complete(ApiMessage response) {
            answer.complete(type.cast(response));
        }
    }

    ClassicGroups(Loop loop, Clock clock, ClassicMachine machine, GroupTable table, AppendQueue<GroupRecord> appends,
            ShardMetrics metrics) {
        this.loop = loop;
        this.clock = clock;
        this.machine = machine;
        this.table = table;
        this.appends = appends;
        this.metrics = metrics;
    }

    /// A request: the answer comes when the machine gives it, which may be a rebalance later.
    ///
    /// @param event made with the ticket of this request
    <A extends ApiMessage> CompletableFuture<A> ask(String groupId, Class<A> type, LongFunction<GroupEvent> event) {
        long ticket = ++lastTicket;
        var answer = new CompletableFuture<A>();
        tickets.put(ticket, new Ticket<>(answer, type));
        happen(groupId, event.apply(ticket));
        return answer;
    }

    void happen(String groupId, GroupEvent event) {
        loop.assertInLoop();
        var slot = table.findOrCreate(groupId);
        var before = slot.group().state();
        var step = machine.step(slot.group(), event, clock.millis());
        table.become(slot, step.group());
        report(before, step);
        step.effects().forEach(effect -> carryOut(groupId, effect));
    }

    /// Begins the sessions of the members that were loaded.
    void loaded() {
        table.all().stream().filter(slot -> !slot.group().members().isEmpty())
                .forEach(slot -> happen(slot.groupId(), new GroupEvent.Loaded()));
    }

    /// Ends it: timers stop, whoever waits is told that this is not the coordinator.
    void close() {
        loop.assertInLoop();
        timers.values().forEach(Timeout::cancel);
        timers.clear();
        var unanswered = List.copyOf(tickets.values());
        tickets.clear();
        unanswered.forEach(ticket -> ticket.answer()
                .completeExceptionally(new Refused(Errors.NOT_COORDINATOR, "the group's shard moved")));
    }

    private void carryOut(String groupId, Effect effect) {
        switch (effect) {
            case Effect.Answer(var number, var response) -> {
                var ticket = tickets.remove(number);
                if (ticket != null) {
                    ticket.complete(response);
                }
            }
            case Effect.Store(var snapshot, var intent) ->
                appends.append(List.of(new GroupPut(groupId, snapshot)), error -> happen(groupId, error == Errors.NONE
                        ? new GroupEvent.Stored(intent)
                        : new GroupEvent.NotStored(intent, AppendErrors.forClient(error))));
            case Effect.Arm(var timer, var delayMillis, var event) -> arm(groupId, timer, delayMillis, event);
            case Effect.Disarm(var timer) -> {
                var running = timers.remove(new TimerKey(groupId, timer));
                if (running != null) {
                    running.cancel();
                }
            }
        }
    }

    private void arm(String groupId, Timer timer, long delayMillis, GroupEvent event) {
        var key = new TimerKey(groupId, timer);
        var running = timers.put(key, loop.schedule(Duration.ofMillis(delayMillis), () -> {
            timers.remove(key);
            happen(groupId, event);
        }));
        if (running != null) {
            running.cancel();
        }
    }

    private void report(GroupState before, Step step) {
        var group = step.group();
        if (step.reason().isEmpty() || before == group.state()) {
            return;
        }
        if (group.state() == GroupState.STABLE) {
            metrics.rebalanced();
        }
        log.info("group={} from={} to={} generation={} members={} reason=\"{}\"", group.groupId(), before.label(),
                group.state().label(), group.generation(), group.members().size(), step.reason());
    }
}
