package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Three replicas under a controller whose answers get lost and whose news come late, in any order of events.
class ReplicationModelTest {
    private static final List<Integer> ALL = List.of(1, 2, 3);
    private static final int STEPS = 250;

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init") // JUnit
    ReplicationModelTest() {}

    static LongStream seeds() {
        return Seeds.of(60);
    }

    /// What is in force, which replicas hear of when they are told.
    private record State(int leader, int leaderEpoch, int partitionEpoch, List<Integer> isr) {}

    private static final class Run {
        private final Random random;
        private final int minIsr;
        private final SimulatedLoop loop = new SimulatedLoop();
        private final Map<Integer, Replica> replicas = new LinkedHashMap<>();
        private final Map<Integer, Long> highWatermarks = new HashMap<>();
        private final Map<Acked, String> waiting = new LinkedHashMap<>();
        private final List<String> acknowledged = new ArrayList<>();
        private State state = new State(1, 0, 0, ALL);
        private int written;

        Run(long seed, Path directory) throws IOException {
            random = new Random(seed);
            minIsr = 1 + random.nextInt(2);
            for (int id : ALL) {
                replicas.put(id, new Replica(id, directory.resolve("seed-" + seed + "-" + id), loop));
                highWatermarks.put(id, 0L);
            }
            ALL.forEach(this::tell);
        }

        void step() {
            loop.advance(Duration.ofMillis(random.nextInt(4_000)));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> append();
                case 3, 4, 5, 6 -> fetch();
                case 7 -> tell(any(ALL));
                case 8 -> propose();
                default -> {
                    if (random.nextInt(3) == 0) {
                        elect();
                    } else {
                        replicas.values().forEach(replica -> replica.partition().isr().check());
                    }
                }
            }
        }

        private void append() {
            var leader = replica(random.nextInt(5) == 0 ? any(ALL) : state.leader());
            var wait = new Acked();
            var value = "v" + written++;
            try {
                leader.partition().asLeader().append(Replica.batch(value), wait, Writer.producer(
                        TransactionTerms.FREE));
                if (wait.joined()) {
                    waiting.put(wait, value);
                } else {
                    acknowledged.add(value);
                }
            } catch (Refused refused) {
                assertThat(refused.error()).isIn(Errors.NOT_LEADER_OR_FOLLOWER, Errors.NOT_ENOUGH_REPLICAS);
            }
        }

        private void fetch() {
            var follower = replica(any(ALL));
            if (follower.partition().role() instanceof ReplicaRole.Follower(int _, int _, int leader)) {
                try {
                    follower.fetchFrom(replica(leader));
                } catch (Refused | LogRefused refused) {
                    // One of the two has not heard of the present leader.
                }
            }
        }

        /// The leader's command reaches the controller or not, and the answer the leader or not.
        private void propose() {
            var asked = replica(any(ALL)).partition().isr().proposal(100);
            if (asked == null) {
                return;
            }
            if (random.nextInt(4) == 0) {
                asked.partition().isr().unanswered(asked);
                return;
            }
            var outcome = decide(asked);
            if (random.nextInt(4) == 0) {
                asked.partition().isr().unanswered(asked);
            } else {
                asked.partition().isr().answered(asked, outcome);
            }
        }

        private Outcome decide(IsrProposal asked) {
            var proposal = asked.proposal();
            if (proposal.leaderEpoch() != state.leaderEpoch()) {
                return Proposals.refused(asked, Errors.FENCED_LEADER_EPOCH);
            }
            if (proposal.partitionEpoch() != state.partitionEpoch()) {
                return Proposals.refused(asked, Errors.INVALID_UPDATE_VERSION);
            }
            if (random.nextInt(5) == 0) {
                return Proposals.refused(asked, Errors.INELIGIBLE_REPLICA);
            }
            state = new State(state.leader(), state.leaderEpoch(), state.partitionEpoch() + 1, proposal.isr().stream()
                    .map(InSync::broker).toList());
            return new Outcome(proposal.topicId(), 0, (short) 0, state.leader(), state.leaderEpoch(), state
                    .partitionEpoch(), state.isr());
        }

        private void elect() {
            int next = any(state.isr());
            if (next != state.leader()) {
                state = new State(next, state.leaderEpoch() + 1, state.partitionEpoch() + 1, state.isr());
            }
        }

        private void tell(int broker) {
            replica(broker).told(state.leader(), state.leaderEpoch(), state.partitionEpoch(), minIsr, state.isr(), ALL);
        }

        void check() {
            replicas.forEach((id, replica) -> {
                long before = Objects.requireNonNull(highWatermarks.get(id));
                assertThat(replica.highWatermark()).as("high watermark of %d", id).isGreaterThanOrEqualTo(before)
                        .isLessThanOrEqualTo(replica.end());
                highWatermarks.put(id, replica.highWatermark());
            });
            waiting.entrySet().removeIf(each -> {
                var wait = each.getKey();
                assertThat(wait.times()).isLessThanOrEqualTo(1);
                if (wait.times() == 1 && wait.succeeded()) {
                    acknowledged.add(each.getValue());
                }
                return wait.times() == 1;
            });
            for (int member : state.isr()) {
                assertThat(replica(member).values()).as("acknowledged, on %d of %s", member, state).containsAll(
                        acknowledged);
            }
        }

        void settle() {
            for (int round = 0; round < 12; round++) {
                ALL.forEach(this::tell);
                for (int id : ALL) {
                    if (id != state.leader()) {
                        replica(id).fetchFrom(replica(state.leader()));
                    }
                }
                loop.advance(Duration.ofSeconds(40));
                replica(state.leader()).partition().isr().check();
                var asked = replica(state.leader()).partition().isr().proposal(100);
                if (asked != null) {
                    state = new State(state.leader(), state.leaderEpoch(), state.partitionEpoch() + 1, asked.proposal()
                            .isr().stream().map(InSync::broker).toList());
                }
            }
            ALL.forEach(this::tell);
        }

        void close() {
            replicas.values().forEach(Replica::close);
        }

        private Replica replica(int id) {
            return Objects.requireNonNull(replicas.get(id));
        }

        private int any(List<Integer> of) {
            return of.get(random.nextInt(of.size()));
        }
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatWasAcknowledgedIsOnWhoeverMayLeadAndAllEndUpEqual(long seed) throws IOException {
        var run = new Run(seed, directory);
        try {
            for (int step = 0; step < STEPS; step++) {
                run.step();
                run.check();
            }
            run.settle();
            run.check();
            var leader = run.replica(run.state.leader());
            assertThat(run.state.isr()).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(leader.highWatermark()).isEqualTo(leader.end());
            ALL.forEach(id -> assertThat(run.replica(id).values()).isEqualTo(leader.values()));
        } finally {
            run.close();
        }
    }
}
