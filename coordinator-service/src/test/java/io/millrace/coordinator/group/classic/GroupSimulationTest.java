package io.millrace.coordinator.group.classic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.Seeds;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.GroupState;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Members that join, leave, crash, fall silent, repeat themselves and lose answers, for ten virtual minutes; stores that
/// take their time and fail. Then the faults end, and the group has to become stable with all who live.
class GroupSimulationTest {
    private static final int PARTITIONS = 12;

    static LongStream seeds() {
        return Seeds.of(60);
    }

    private final SimulatedLoop loop = new SimulatedLoop();
    private final ClassicMachine machine = new ClassicMachine(Play.LIMITS);
    private final Map<Timer, Timeout> timers = new HashMap<>();
    private final Map<Long, Consumer<ApiMessage>> tickets = new HashMap<>();
    private final Map<Integer, Map<String, Set<Integer>>> ownersByGeneration = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private ClassicGroup group = ClassicGroup.empty("g");
    private Random random = new Random();
    private long lastTicket;
    private boolean faults = true;

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyPartitionHasOneOwnerAGenerationAndTheGroupBecomesStable(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 5; i++) {
            start(i % 3 == 0 ? "static-" + i : null);
        }
        for (int second = 0; second < 600; second++) {
            loop.advance(Duration.ofMillis(random.nextInt(2000)));
            disturb();
        }
        faults = false;
        clients.stream().filter(client -> client.silent).toList().forEach(Client::crash);
        start(null);
        loop.advance(Duration.ofMinutes(15));

        assertThat(group.state()).isEqualTo(GroupState.STABLE);
        assertThat(group.members()).containsOnlyKeys(clients.stream().map(client -> client.memberId).toList());
        assertThat(clients).allSatisfy(client -> assertThat(client.generation).isEqualTo(group.generation()));
        var owned = new ArrayList<Integer>();
        ownersByGeneration.getOrDefault(group.generation(), Map.of()).values().forEach(owned::addAll);
        assertThat(owned).containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, PARTITIONS).boxed().toList());
    }

    private void disturb() {
        switch (random.nextInt(8)) {
            case 0 -> start(null);
            case 1 -> some().ifPresent(Client::crash);
            case 2 -> some().filter(client -> client.instanceId == null).ifPresent(Client::leave);
            case 3 -> some().filter(client -> client.instanceId != null).ifPresent(client -> {
                var instance = client.instanceId;
                client.crash();
                start(instance);
            });
            case 4 -> some().ifPresent(client -> client.silent = !client.silent);
            case 5 -> some().ifPresent(Client::join); // a retry of its own mind
            default -> {
            }
        }
        if (clients.size() > 9) {
            some().ifPresent(Client::crash);
        }
        if (clients.size() < 2) {
            start(null);
        }
    }

    private Optional<Client> some() {
        return clients.isEmpty() ? Optional.empty() : Optional.of(clients.get(random.nextInt(clients.size())));
    }

    private void start(@Nullable String instanceId) {
        var client = new Client(instanceId);
        clients.add(client);
        client.join();
        client.heartbeat();
    }

    private void happen(GroupEvent event) {
        var step = machine.step(group, event, loop.clock().millis());
        group = step.group();
        step.effects().forEach(this::carryOut);
        check();
    }

    private void check() {
        if (group.members().isEmpty()) {
            // The first window ends by time alone, also where everybody left meanwhile.
            assertThat(group.state()).isIn(GroupState.EMPTY, GroupState.PREPARING_REBALANCE);
        } else {
            assertThat(group.state()).isNotIn(GroupState.EMPTY, GroupState.DEAD);
            assertThat(group.members()).containsKey(group.leader());
        }
        if (group.state() == GroupState.STABLE) {
            assertThat(group.members().values()).noneMatch(Member::awaitsJoin);
        }
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Answer(var ticket, var response) -> {
                var waiting = tickets.remove(ticket);
                if (waiting == null) {
                    throw new AssertionError("answered twice: " + ticket);
                }
                loop.schedule(Duration.ofMillis(random.nextInt(50)), () -> waiting.accept(response));
            }
            case Effect.Store(_, var intent) -> loop.schedule(Duration.ofMillis(random.nextInt(300)),
                    () -> happen(faults && random.nextInt(5) == 0
                            ? new GroupEvent.NotStored(intent, Errors.COORDINATOR_NOT_AVAILABLE)
                            : new GroupEvent.Stored(intent)));
            case Effect.Arm(var timer, var delay, var event) -> {
                var before = timers.put(timer, loop.schedule(Duration.ofMillis(delay), () -> {
                    timers.remove(timer);
                    happen(event);
                }));
                if (before != null) {
                    before.cancel();
                }
            }
            case Effect.Disarm(var timer) -> {
                var running = timers.remove(timer);
                if (running != null) {
                    running.cancel();
                }
            }
        }
    }

    private final class Client {
        private final @Nullable String instanceId;
        private String memberId = "";
        private int generation = -1;
        private boolean alive = true;
        private boolean silent;
        /// Grows with each join; answers to older ones are of no interest.
        private int round;

        Client(@Nullable String instanceId) {
            this.instanceId = instanceId;
        }

        void join() {
            int mine = ++round;
            generation = -1;
            var request = new JoinGroupRequestData().setGroupId("g").setMemberId(memberId)
                    .setGroupInstanceId(instanceId).setSessionTimeoutMs(10_000).setRebalanceTimeoutMs(30_000)
                    .setProtocolType("consumer");
            request.protocols().add(new JoinGroupRequestProtocol().setName("range")
                    .setMetadata(new byte[]{(byte) random.nextInt(2)}));
            send(ticket -> new GroupEvent.Join(ticket, request, 5, new ClientIdentity("c", "/h"),
                    Long.toHexString(random.nextLong())), response -> joined(mine, (JoinGroupResponseData) response));
            loop.schedule(Duration.ofSeconds(40), () -> {
                if (alive && round == mine && generation < 0) {
                    join(); // no answer: the connection was given up
                }
            });
        }

        private void joined(int mine, JoinGroupResponseData answer) {
            if (!alive || mine != round) {
                return;
            }
            switch (Errors.forCode(answer.errorCode())) {
                case NONE -> {
                    memberId = answer.memberId();
                    generation = answer.generationId();
                    sync(mine, answer);
                }
                case MEMBER_ID_REQUIRED -> {
                    memberId = answer.memberId();
                    join();
                }
                case UNKNOWN_MEMBER_ID -> forget();
                case FENCED_INSTANCE_ID -> crash();
                default -> loop.schedule(Duration.ofMillis(100), this::again);
            }
        }

        private void sync(int mine, JoinGroupResponseData joined) {
            var request = new SyncGroupRequestData().setGroupId("g").setMemberId(memberId)
                    .setGroupInstanceId(instanceId).setGenerationId(joined.generationId());
            if (!joined.members().isEmpty()) {
                request.setAssignments(assign(joined.members()));
            }
            send(ticket -> new GroupEvent.Sync(ticket, request),
                    response -> synced(mine, (SyncGroupResponseData) response));
        }

        private void synced(int mine, SyncGroupResponseData answer) {
            if (!alive || mine != round) {
                return;
            }
            switch (Errors.forCode(answer.errorCode())) {
                case NONE -> own(answer.assignment());
                case UNKNOWN_MEMBER_ID -> forget();
                case FENCED_INSTANCE_ID -> crash();
                default -> again();
            }
        }

        /// The invariant: within a generation no partition is given to two members, counting a static member and its
        /// restarted self as one.
        private void own(byte[] assignment) {
            var partitions = new HashSet<Integer>();
            for (var part : new String(assignment, UTF_8).split(",", -1)) {
                if (!part.isEmpty()) {
                    partitions.add(Integer.parseInt(part));
                }
            }
            var owners = ownersByGeneration.computeIfAbsent(generation, _ -> new HashMap<>());
            owners.forEach((owner, owned) -> {
                if (!owner.equals(name())) {
                    assertThat(owned).as("generation %d, %s and %s", generation, owner, name())
                            .doesNotContainAnyElementsOf(partitions);
                }
            });
            owners.put(name(), partitions);
        }

        private String name() {
            return instanceId != null ? instanceId : memberId;
        }

        void heartbeat() {
            loop.schedule(Duration.ofSeconds(3), () -> {
                if (!alive) {
                    return;
                }
                int mine = round;
                if (generation >= 0 && !silent) {
                    var request = new HeartbeatRequestData().setMemberId(memberId).setGroupInstanceId(instanceId)
                            .setGenerationId(generation);
                    send(ticket -> new GroupEvent.Heartbeat(ticket, request),
                            response -> beaten(mine, (HeartbeatResponseData) response));
                }
                heartbeat();
            });
        }

        private void beaten(int mine, HeartbeatResponseData answer) {
            if (!alive || mine != round) {
                return;
            }
            switch (Errors.forCode(answer.errorCode())) {
                case NONE -> {
                }
                case REBALANCE_IN_PROGRESS -> join();
                case FENCED_INSTANCE_ID -> crash();
                default -> forget();
            }
        }

        private void again() {
            if (alive) {
                join();
            }
        }

        private void forget() {
            memberId = "";
            join();
        }

        void leave() {
            send(ticket -> new GroupEvent.Leave(ticket,
                    new LeaveGroupRequestData().setMembers(List.of(new MemberIdentity().setMemberId(memberId)))),
                    _ -> {});
            crash();
        }

        void crash() {
            alive = false;
            clients.remove(this);
        }

        private void send(LongFunction<GroupEvent> event, Consumer<ApiMessage> answer) {
            long ticket = ++lastTicket;
            boolean lost = faults && random.nextInt(20) == 0;
            tickets.put(ticket, lost ? _ -> {} : answer);
            happen(event.apply(ticket));
        }

        private static List<SyncGroupRequestAssignment> assign(List<JoinGroupResponseMember> members) {
            var assignments = new ArrayList<SyncGroupRequestAssignment>();
            for (int i = 0; i < members.size(); i++) {
                var partitions = new StringBuilder();
                for (int partition = i; partition < PARTITIONS; partition += members.size()) {
                    partitions.append(partition).append(',');
                }
                assignments.add(new SyncGroupRequestAssignment().setMemberId(members.get(i).memberId())
                        .setAssignment(partitions.toString().getBytes(UTF_8)));
            }
            return assignments;
        }
    }
}
