package io.millrace.coordinator.group.classic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.GroupState;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A group on a table: events go in, answers, timers and stores are laid out to be looked at. Time stands still; a timer
/// runs out when the test says so.
final class Play {
    static final GroupLimits LIMITS = new GroupLimits(6000, 1_800_000, 100, 3000);

    private final ClassicMachine machine;
    private final Map<Long, ApiMessage> answers = new HashMap<>();
    private final Map<Timer, Effect.Arm> timers = new HashMap<>();
    private final Deque<Effect.Store> stores = new ArrayDeque<>();
    private ClassicGroup group = ClassicGroup.empty("g");
    private long tickets;
    private boolean holdStores;

    Play() {
        this(LIMITS);
    }

    Play(GroupLimits limits) {
        machine = new ClassicMachine(limits);
    }

    /// What a client joins with; every part has a default.
    record Join(String memberId, @Nullable String instanceId, int version, int session, int rebalance, String type,
            List<String> protocols) {
        static Join fresh() {
            return new Join("", null, 3, 10_000, 60_000, "consumer", List.of("range"));
        }

        Join as(String id) {
            return new Join(id, instanceId, version, session, rebalance, type, protocols);
        }

        Join instance(String id) {
            return new Join(memberId, id, version, session, rebalance, type, protocols);
        }

        Join version(int number) {
            return new Join(memberId, instanceId, number, session, rebalance, type, protocols);
        }

        Join session(int millis) {
            return new Join(memberId, instanceId, version, millis, rebalance, type, protocols);
        }

        Join rebalance(int millis) {
            return new Join(memberId, instanceId, version, session, millis, type, protocols);
        }

        Join type(String name) {
            return new Join(memberId, instanceId, version, session, rebalance, name, protocols);
        }

        Join protocols(String... names) {
            return new Join(memberId, instanceId, version, session, rebalance, type, List.of(names));
        }
    }

    long join(Join join) {
        var request = new JoinGroupRequestData().setGroupId("g").setMemberId(join.memberId())
                .setGroupInstanceId(join.instanceId()).setSessionTimeoutMs(join.session())
                .setRebalanceTimeoutMs(join.rebalance()).setProtocolType(join.type());
        join.protocols().forEach(name -> request.protocols()
                .add(new JoinGroupRequestProtocol().setName(name).setMetadata(new byte[]{1})));
        long ticket = ++tickets;
        happen(new GroupEvent.Join(ticket, request, join.version(), new ClientIdentity("c", "/h"), "" + ticket));
        return ticket;
    }

    long sync(String memberId, int generation, String... assigned) {
        return sync(new SyncGroupRequestData().setMemberId(memberId).setGenerationId(generation)
                .setAssignments(Arrays.stream(assigned)
                        .map(id -> new SyncGroupRequestAssignment().setMemberId(id).setAssignment(id.getBytes(UTF_8)))
                        .toList()));
    }

    long sync(SyncGroupRequestData request) {
        long ticket = ++tickets;
        happen(new GroupEvent.Sync(ticket, request));
        return ticket;
    }

    Errors heartbeat(String memberId, @Nullable String instanceId, int generation) {
        long ticket = ++tickets;
        happen(new GroupEvent.Heartbeat(ticket, new HeartbeatRequestData().setMemberId(memberId)
                .setGroupInstanceId(instanceId).setGenerationId(generation)));
        return Errors.forCode(answer(ticket, HeartbeatResponseData.class).errorCode());
    }

    List<Errors> leave(MemberIdentity... members) {
        long ticket = ++tickets;
        happen(new GroupEvent.Leave(ticket, new LeaveGroupRequestData().setMembers(List.of(members))));
        return answer(ticket, LeaveGroupResponseData.class).members().stream()
                .map(member -> Errors.forCode(member.errorCode())).toList();
    }

    List<Errors> leave(String memberId) {
        return leave(new MemberIdentity().setMemberId(memberId));
    }

    /// So many members, named by their answers' ids, in a stable group; the first leads.
    List<String> stable(int members) {
        var joins = new ArrayList<Long>();
        for (int i = 0; i < members; i++) {
            joins.add(join(Join.fresh()));
        }
        fire(new Timer.Gathering());
        if (members > 1) {
            fire(new Timer.Gathering()); // the window grew once
        }
        var ids = joins.stream().map(ticket -> joined(ticket).memberId()).toList();
        ids.forEach(id -> sync(id, generation(), id.equals(group.leader())
                ? ids.toArray(String[]::new)
                : new String[0]));
        return ids;
    }

    void happen(GroupEvent event) {
        var step = machine.step(group, event, 1000);
        group = step.group();
        step.effects().forEach(this::carryOut);
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Answer(var ticket, var response) -> {
                if (answers.put(ticket, response) != null) {
                    throw new AssertionError("answered twice: " + ticket);
                }
            }
            case Effect.Store store -> {
                stores.add(store);
                if (!holdStores) {
                    stored();
                }
            }
            case Effect.Arm arm -> timers.put(arm.timer(), arm);
            case Effect.Disarm(var timer) -> timers.remove(timer);
        }
    }

    void holdStores() {
        holdStores = true;
    }

    void stored() {
        happen(new GroupEvent.Stored(stores.remove().intent()));
    }

    void notStored(Errors error) {
        happen(new GroupEvent.NotStored(stores.remove().intent(), error));
    }

    Effect.Store lastStore() {
        return Objects.requireNonNull(stores.peekLast());
    }

    void fire(Timer timer) {
        happen(Objects.requireNonNull(timers.remove(timer), () -> "not armed: " + timer).event());
    }

    long armed(Timer timer) {
        return Objects.requireNonNull(timers.get(timer), () -> "not armed: " + timer).delayMillis();
    }

    boolean isArmed(Timer timer) {
        return timers.containsKey(timer);
    }

    boolean isAnswered(long ticket) {
        return answers.containsKey(ticket);
    }

    <A extends ApiMessage> A answer(long ticket, Class<A> type) {
        return type.cast(Objects.requireNonNull(answers.get(ticket), () -> "not answered: " + ticket));
    }

    JoinGroupResponseData joined(long ticket) {
        return answer(ticket, JoinGroupResponseData.class);
    }

    Errors joinError(long ticket) {
        return Errors.forCode(joined(ticket).errorCode());
    }

    SyncGroupResponseData synced(long ticket) {
        return answer(ticket, SyncGroupResponseData.class);
    }

    Errors syncError(long ticket) {
        return Errors.forCode(synced(ticket).errorCode());
    }

    ClassicGroup group() {
        return group;
    }

    void become(ClassicGroup next) {
        group = next;
    }

    GroupState state() {
        return group.state();
    }

    int generation() {
        return group.generation();
    }
}
