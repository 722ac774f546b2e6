package io.millrace.coordinator.group.classic;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.protocol.Errors;
import org.pcollections.OrderedPSet;

/// The first half of a rebalance: members join again, or are left behind, until a new generation is made.
final class Gathering {
    private Gathering() {}

    /// Begins to gather, unless the group does so already; then it ends where that was all it waited for.
    static void begin(Turn turn, String why) {
        switch (turn.group().phase()) {
            case Phase.Empty() -> openWindow(turn, why);
            case Phase.Completing(_),Phase.Stable(_) -> callBack(turn, why);
            case Phase.Preparing(_),Phase.Dead() -> {
            }
        }
        endIfComplete(turn);
    }

    /// Ends at once where everybody has come. The window of a group that was empty ends by time alone.
    static void endIfComplete(Turn turn) {
        var group = turn.group();
        if (group.phase() instanceof Phase.Preparing(var window) && window == null && group.pending().isEmpty()
                && group.awaitingJoin() == group.members().size()) {
            complete(turn);
        }
    }

    /// The time is up.
    static void ended(Turn turn) {
        if (!(turn.group().phase() instanceof Phase.Preparing(var window))) {
            return;
        }
        if (window == null || !window.grown() || window.remainingMillis() == 0) {
            complete(turn);
            return;
        }
        long delay = Math.min(turn.limits().initialRebalanceDelayMillis(), window.remainingMillis());
        long remaining = Math.max(window.remainingMillis() - window.delayMillis(), 0);
        turn.become(turn.group().at(new Phase.Preparing(new Phase.Window(delay, remaining, false)),
                turn.group().stateTimestamp()));
        arm(turn, delay);
    }

    private static void openWindow(Turn turn, String why) {
        long delay = turn.limits().initialRebalanceDelayMillis();
        long remaining = Math.max(turn.group().rebalanceTimeoutMillis() - delay, 0);
        turn.enter(new Phase.Preparing(new Phase.Window(delay, remaining, false)), why);
        arm(turn, delay);
    }

    private static void callBack(Turn turn, String why) {
        turn.become(turn.group().withEach(member -> switch (member.waiting()) {
            case Waiting.ForSync(_) -> {
                turn.keepAlive(member);
                yield turn.release(member, Errors.REBALANCE_IN_PROGRESS);
            }
            case Waiting.Nothing(),Waiting.ForJoin(_) -> member;
        }));
        turn.disarm(new Timer.Syncing());
        turn.enter(new Phase.Preparing(null), why);
        arm(turn, turn.group().rebalanceTimeoutMillis());
    }

    private static void arm(Turn turn, long delayMillis) {
        turn.arm(new Timer.Gathering(), delayMillis, new GroupEvent.GatheringEnded());
    }

    private static void complete(Turn turn) {
        leaveBehind(turn);
        var group = turn.group();
        if (group.members().isEmpty()) {
            turn.disarm(new Timer.Gathering());
            turn.become(group.led(null).nextGeneration(null));
            turn.enter(new Phase.Empty(), "no members left");
            turn.store(turn.group().snapshot(), new Intent.Emptied());
            return;
        }
        var leader = newLeader(group);
        if (leader.isEmpty()) {
            // Only static members are left and none came: their sessions decide.
            turn.enter(new Phase.Preparing(null), "no member came");
            arm(turn, group.rebalanceTimeoutMillis());
            return;
        }
        turn.disarm(new Timer.Gathering());
        turn.become(group.led(leader.get()).nextGeneration(vote(group)));
        turn.enter(new Phase.Completing(OrderedPSet.from(group.members().keySet())), "members gathered");
        handOut(turn);
    }

    /// Members that did not come are out, except static ones, which may be away until their session ends.
    private static void leaveBehind(Turn turn) {
        for (var member : turn.group().members().values()) {
            if (!member.awaitsJoin() && !member.isStatic()) {
                turn.disarm(new Timer.Session(member.id()));
                turn.become(Leaving.removed(turn.group(), member.id()));
            }
        }
    }

    private static Optional<String> newLeader(ClassicGroup group) {
        var present = group.leader() == null ? null : group.members().get(group.leader());
        return present != null && present.awaitsJoin()
                ? Optional.of(present.id())
                : group.members().values().stream().filter(Member::awaitsJoin).map(Member::id).findFirst();
    }

    /// Among the protocols that all know, each member votes for the one it prefers; most votes win, the older voter's
    /// choice where they are equal.
    static String vote(ClassicGroup group) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        for (var member : group.members().values()) {
            member.terms().protocols().stream().map(Protocol::name).filter(group::allSupport).findFirst()
                    .ifPresent(choice -> votes.merge(choice, 1, Integer::sum));
        }
        var most = votes.values().stream().max(Comparator.naturalOrder()).orElse(0);
        return votes.entrySet().stream().filter(entry -> entry.getValue().equals(most)).map(Map.Entry::getKey)
                .findFirst().orElseThrow(() -> new IllegalStateException("no common protocol in " + group.groupId()));
    }

    private static void handOut(Turn turn) {
        var group = turn.group();
        turn.arm(new Timer.Syncing(), group.rebalanceTimeoutMillis(), new GroupEvent.SyncingEnded(group.generation()));
        turn.become(group.withEach(member -> {
            if (member.waiting() instanceof Waiting.ForJoin(var ticket)) {
                turn.answer(ticket, Answers.joined(group, member, group.isLeader(member.id())));
            }
            turn.keepAlive(member);
            return member.joined();
        }));
    }
}
