package io.millrace.coordinator.shard;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.LastRebalance;
import io.millrace.coordinator.group.classic.ClassicMachine;
import io.millrace.coordinator.group.classic.Effect;
import io.millrace.coordinator.group.classic.GroupEvent;
import io.millrace.coordinator.group.classic.Step;
import io.millrace.coordinator.group.classic.Timer;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
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
    private final GroupTimers<Timer> timers;
    private final Tickets tickets = new Tickets();

    ClassicGroups(Loop loop, Clock clock, ClassicMachine machine, GroupTable table, AppendQueue<GroupRecord> appends,
            ShardMetrics metrics) {
        this.loop = loop;
        this.clock = clock;
        this.machine = machine;
        this.table = table;
        this.appends = appends;
        this.metrics = metrics;
        timers = new GroupTimers<>(loop);
    }

    /// A request: the answer comes when the machine gives it, which may be a rebalance later.
    ///
    /// @param event made with the ticket of this request
    <A extends ApiMessage> CompletableFuture<A> ask(String groupId, Class<A> type, LongFunction<GroupEvent> event) {
        return tickets.open(type, ticket -> happen(groupId, event.apply(ticket)));
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

    /// Nothing runs out in a group that is to change its protocol.
    void suspend(String groupId) {
        timers.disarm(groupId);
    }

    /// The group goes on: sessions begin anew.
    void resume(String groupId) {
        happen(groupId, new GroupEvent.Loaded());
    }

    /// The group was a consumer group: its members are called together.
    void converted(String groupId) {
        resume(groupId);
        happen(groupId, new GroupEvent.Converted());
    }

    /// Ends it: timers stop, whoever waits is told that this is not the coordinator.
    void close() {
        loop.assertInLoop();
        timers.close();
        tickets.close();
    }

    private void carryOut(String groupId, Effect effect) {
        switch (effect) {
            case Effect.Answer(var ticket, var response) -> tickets.answer(ticket, response);
            case Effect.Store(var snapshot, var intent) ->
                appends.append(List.of(new GroupPut(groupId, snapshot)), error -> happen(groupId, error == Errors.NONE
                        ? new GroupEvent.Stored(intent)
                        : new GroupEvent.NotStored(intent, AppendErrors.forClient(error))));
            case Effect.Arm(var timer, var delayMillis, var event) ->
                timers.arm(groupId, timer, delayMillis, () -> happen(groupId, event));
            case Effect.Disarm(var timer) -> timers.disarm(groupId, timer);
        }
    }

    private void report(GroupState before, Step step) {
        var group = step.group();
        if (step.reason().isEmpty() || before == group.state()) {
            return;
        }
        if (group.state() == GroupState.STABLE) {
            metrics.rebalanced();
        } else if (before != GroupState.PREPARING_REBALANCE && group.isRebalancing()) {
            table.find(group.groupId()).ifPresent(slot -> slot.rebalances(new LastRebalance(clock.millis(), step
                    .reason())));
        }
        log.info("group={} from={} to={} generation={} members={} reason=\"{}\"", group.groupId(), before.label(),
                group.state().label(), group.generation(), group.members().size(), step.reason());
    }
}
