package io.millrace.coordinator.group.classic;

import java.util.ArrayList;
import java.util.List;

import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.record.GroupSnapshot;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// One step in the making: the group as it is so far, and the effects gathered. It lives as long as one call of
/// [ClassicMachine#step].
final class Turn {
    private final GroupLimits limits;
    private final long nowMillis;
    private final List<Effect> effects = new ArrayList<>();
    private ClassicGroup group;
    private String reason = "";

    Turn(ClassicGroup group, GroupLimits limits, long nowMillis) {
        this.group = group;
        this.limits = limits;
        this.nowMillis = nowMillis;
    }

    Step end() {
        return new Step(group, effects, reason);
    }

    ClassicGroup group() {
        return group;
    }

    GroupLimits limits() {
        return limits;
    }

    void become(ClassicGroup next) {
        group = next;
    }

    void enter(Phase next, String why) {
        group = group.at(next, nowMillis);
        reason = why;
    }

    void answer(long ticket, ApiMessage response) {
        effects.add(new Effect.Answer(ticket, response));
    }

    void store(GroupSnapshot snapshot, Intent intent) {
        effects.add(new Effect.Store(snapshot, intent));
    }

    void arm(Timer timer, long delayMillis, GroupEvent event) {
        effects.add(new Effect.Arm(timer, delayMillis, event));
    }

    void disarm(Timer timer) {
        effects.add(new Effect.Disarm(timer));
    }

    /// The member is heard of: its session begins anew.
    void keepAlive(Member member) {
        arm(new Timer.Session(member.id()), member.terms().sessionTimeoutMillis(),
                new GroupEvent.SessionExpired(member.id()));
    }

    /// Answers what the member waits for with `error`, so that it can be put to wait for something else.
    Member release(Member member, Errors error) {
        switch (member.waiting()) {
            case Waiting.Nothing() -> {
                return member;
            }
            case Waiting.ForJoin(var ticket) -> answer(ticket, Answers.joinRefused(error, member.id()));
            case Waiting.ForSync(var ticket) -> answer(ticket, Answers.syncRefused(error));
        }
        return member.withWaiting(Waiting.NOTHING);
    }
}
