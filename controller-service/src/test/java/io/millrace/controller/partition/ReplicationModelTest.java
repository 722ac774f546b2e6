package io.millrace.controller.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.wire.error.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The real decisions about one partition, over brokers that are as simple as can be: a log is a list of numbers, a
/// follower copies its leader's, a leader acknowledges what all have that may be in the ISR. A crash may cost a broker the
/// end of its log, but for the last one in sync. What is decided reaches each
/// broker some time later or never; what leaders propose may be stale by the time it is decided on. Nothing acknowledged
/// may be missing in a later leader, as long as no election is unclean.
class ReplicationModelTest {
    private static final UUID TOPIC = new UUID(7, 8);
    private static final int BROKERS = 4;

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nothingAcknowledgedIsLostAndEpochsOnlyGoUp(long seed) {
        var model = new Model(new Random(seed));
        for (int step = 0; step < 600; step++) {
            model.step();
        }
        model.heal();
    }

    static LongStream seeds() {
        return Seeds.of(500);
    }

    /// A broker's copy of the partition, and what it knows.
    private static final class Replica {
        final int id;
        final List<Integer> log = new ArrayList<>();
        final Map<Integer, Integer> followerEnds = new HashMap<>();
        final Map<Integer, Long> followerLives = new HashMap<>();
        PartitionImage known;
        @Nullable
        Proposal awaited;
        int epochStart;

        Replica(int id, PartitionImage known) {
            this.id = id;
            this.known = known;
        }

        boolean leads() {
            return known.leader() == id;
        }

        void learn(PartitionImage next) {
            if (next.partitionEpoch() < known.partitionEpoch()) {
                return;
            }
            if (next.leaderEpoch() > known.leaderEpoch()) {
                followerEnds.clear();
                epochStart = log.size();
            }
            if (next.partitionEpoch() > known.partitionEpoch()) {
                awaited = null;
            }
            known = next;
        }

        /// All that may be in the ISR now.
        Set<Integer> maximalIsr() {
            var all = new HashSet<>(known.isr());
            if (awaited != null) {
                awaited.isr().forEach(member -> all.add(member.broker()));
            }
            return all;
        }

        void answered(PartitionImage state) {
            awaited = null;
            learn(state);
        }

        int end(int replica) {
            return replica == id ? log.size() : followerEnds.getOrDefault(replica, 0);
        }

        int highWatermark() {
            return maximalIsr().stream().mapToInt(this::end).min().orElse(0);
        }
    }

    private record Asked(int broker, long life, Proposal proposal) {}

    private static final class Model {
        private final Random random;
        private final Map<Integer, NodeState> states = new TreeMap<>();
        private final long[] lives = new long[BROKERS];
        private final List<Replica> replicas = new ArrayList<>();
        private final List<Asked> asked = new ArrayList<>();
        private final Set<Integer> acknowledged = new LinkedHashSet<>();
        private final Map<Integer, Integer> leaderOfEpoch = new HashMap<>();
        private PartitionImage now;
        private int nextRecord;
        private boolean healing;

        Model(Random random) {
            this.random = random;
            for (int id = 0; id < BROKERS; id++) {
                states.put(id, NodeState.ACTIVE);
                lives[id] = 1;
            }
            var waiting = Leadership.waiting(0, List.of(2, 0, 3));
            now = waiting;
            decide(Leadership.next(waiting, brokers(), false));
            for (int id = 0; id < BROKERS; id++) {
                replicas.add(new Replica(id, now));
            }
        }

        void step() {
            int broker = random.nextInt(BROKERS);
            switch (random.nextInt(16)) {
                case 0 -> dies(broker);
                case 1, 2 -> comesBack(broker);
                case 3 -> shutsDown(broker);
                case 4 -> Leadership.preferred(now, brokers()).ifPresent(this::decide);
                case 5, 6 -> replicas.get(broker).learn(now);
                case 7, 8, 9 -> append(replicas.get(broker));
                case 10, 11, 12 -> fetch(replicas.get(broker));
                case 13, 14 -> propose(replicas.get(broker));
                default -> answerOne();
            }
            replicas.forEach(this::acknowledge);
        }

        void heal() {
            healing = true;
            for (int round = 0; round < 12; round++) {
                for (int id = 0; id < BROKERS; id++) {
                    if (states.get(id) != NodeState.ACTIVE) {
                        dies(id);
                        comesBack(id);
                    }
                    replicas.get(id).learn(now);
                    fetch(replicas.get(id));
                    propose(replicas.get(id));
                    while (!asked.isEmpty()) {
                        answerOne();
                    }
                }
            }
            assertThat(now.hasLeader()).isTrue();
            assertThat(now.isr()).containsExactlyInAnyOrderElementsOf(now.replicas());
            assertThat(replicas.get(now.leader()).log).containsAll(acknowledged);
        }

        private ClusterImage image() {
            var cluster = Cluster.empty();
            for (var state : states.entrySet()) {
                cluster = cluster.with(Cluster.node(Role.BROKER, state.getKey(), lives[state.getKey()], null, state
                        .getValue()));
            }
            return cluster.image();
        }

        private LiveReplicas live() {
            return LiveReplicas.of(image());
        }

        private Brokers brokers() {
            return live().of(TOPIC, 0);
        }

        private void dies(int broker) {
            states.put(broker, NodeState.FENCED);
            decide(Leadership.next(now, brokers(), false));
        }

        private void comesBack(int broker) {
            if (states.get(broker) != NodeState.FENCED) {
                return;
            }
            lives[broker]++;
            states.put(broker, NodeState.ACTIVE);
            var fresh = new Replica(broker, replicas.get(broker).known);
            var stored = replicas.get(broker).log;
            boolean othersHaveAll = now.isr().stream().anyMatch(id -> id != broker);
            fresh.log.addAll(othersHaveAll ? stored.subList(0, random.nextInt(stored.size() + 1)) : stored);
            fresh.learn(now);
            fresh.epochStart = fresh.log.size();
            replicas.set(broker, fresh);
            decide(Leadership.next(now, brokers(), false));
        }

        private void shutsDown(int broker) {
            if (states.get(broker) == NodeState.ACTIVE) {
                states.put(broker, NodeState.SHUTTING_DOWN);
                decide(Leadership.handedOver(now, broker, brokers()));
            }
        }

        /// Without being asked, a process that is thought dead goes on for as long as it has not heard of it.
        private void append(Replica leader) {
            if (leader.leads()) {
                leader.log.add(nextRecord++);
            }
        }

        private void fetch(Replica follower) {
            int leaderId = follower.known.leader();
            if (leaderId < 0 || leaderId == follower.id || !follower.known.isReplica(follower.id)) {
                return;
            }
            var leader = replicas.get(leaderId);
            if (!leader.leads() || leader.known.leaderEpoch() != follower.known.leaderEpoch()) {
                return;
            }
            int common = 0;
            while (common < Math.min(leader.log.size(), follower.log.size()) && leader.log.get(common)
                    .equals(follower.log.get(common))) {
                common++;
            }
            follower.log.subList(common, follower.log.size()).clear();
            boolean oneLess = !healing && leader.log.size() > common && random.nextBoolean();
            follower.log.addAll(leader.log.subList(common, leader.log.size() - (oneLess ? 1 : 0)));
            leader.followerEnds.put(follower.id, follower.log.size());
            leader.followerLives.put(follower.id, lives[follower.id]);
        }

        private void propose(Replica leader) {
            if (!leader.leads() || leader.awaited != null) {
                return;
            }
            var isr = new ArrayList<InSync>();
            for (int replica : leader.known.replicas()) {
                boolean caughtUp = leader.followerLives.containsKey(replica) && leader.end(replica) >= Math.max(leader
                        .highWatermark(), leader.epochStart);
                boolean stays = leader.known.isr().contains(replica) && random.nextInt(4) > 0;
                if (replica == leader.id || caughtUp || stays) {
                    long life = replica == leader.id
                            ? lives[replica]
                            : leader.followerLives.getOrDefault(replica, AlterPartition.ANY_EPOCH);
                    isr.add(new InSync(replica, life));
                }
            }
            var proposal = new Proposal(TOPIC, 0, leader.known.leaderEpoch(), leader.known.partitionEpoch(), isr);
            leader.awaited = proposal;
            asked.add(new Asked(leader.id, lives[leader.id], proposal));
        }

        private void answerOne() {
            if (asked.isEmpty()) {
                return;
            }
            var next = asked.remove(random.nextInt(asked.size()));
            if (!healing && random.nextInt(4) == 0) {
                asked.add(next); // the network says it twice
            }
            if (lives[next.broker()] != next.life()) {
                return; // refused as a whole, and nobody is there to hear it
            }
            var leader = replicas.get(next.broker());
            boolean awaited = next.proposal().equals(leader.awaited);
            try {
                decide(IsrChange.of(now, next.broker(), next.proposal(), live()));
                if (awaited) {
                    leader.answered(now);
                }
            } catch (Refused _) {
                if (awaited) {
                    leader.answered(leader.known);
                }
            }
        }

        private void acknowledge(Replica leader) {
            if (leader.leads()) {
                acknowledged.addAll(leader.log.subList(0, leader.highWatermark()));
            }
        }

        private void decide(PartitionImage next) {
            var before = now;
            now = next;
            if (next.equals(before)) {
                return;
            }
            assertThat(next.isr()).isNotEmpty().doesNotHaveDuplicates();
            assertThat(next.replicas()).containsAll(next.isr());
            assertThat(next.partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
            assertThat(next.leaderEpoch()).isEqualTo(before.leaderEpoch() + (next.leader() == before.leader() ? 0 : 1));
            assertThat(leaderOfEpoch.getOrDefault(next.leaderEpoch(), next.leader())).isEqualTo(next.leader());
            leaderOfEpoch.put(next.leaderEpoch(), next.leader());
            assertThat(Leadership.wasUnclean(before, next, _ -> "")).isFalse();
            var stayed = new ArrayList<>(before.isr());
            stayed.retainAll(next.isr());
            assertThat(next.isr().subList(0, Leadership.isWaiting(before) ? 0 : stayed.size())).isEqualTo(stayed);
            if (next.hasLeader()) {
                assertThat(next.isr()).contains(next.leader());
                assertThat(replicas.isEmpty() || replicas.get(next.leader()).log.containsAll(acknowledged)).as(
                        "what is acknowledged is at leader " + next).isTrue();
            }
        }
    }
}
