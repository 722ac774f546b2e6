package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.partition.Partition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Three replicas through many leaders, crashes, cut networks and late metadata, beside the plainest model there is: a list
/// of what was ever replicated. Whatever counts as replicated anywhere stays at its offset everywhere, for ever; and once
/// all is well again, the replicas are equal.
class HistoriesTest {
    private static final List<Integer> REPLICAS = List.of(0, 1, 2);
    private static final int STEPS = 120;
    private static final int NONE = -1;

    @TempDir
    Path root;

    static LongStream seeds() {
        return Seeds.of(60);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatIsReplicatedStaysAndReplicasEndUpEqual(long seed) throws IOException {
        new Run(seed, root.resolve(Long.toString(seed))).go();
    }

    private static final class Run {
        private final Random random;
        private final Path root;
        private final SimulatedLoop loop = new SimulatedLoop();
        private final Network network;
        private final Map<Integer, Node> nodes = new HashMap<>();
        private final Map<Node, Long> seen = new HashMap<>();
        private final List<String> replicated = new ArrayList<>();
        private int leader;
        private int leaderEpoch;
        private int partitionEpoch;
        private List<Integer> isr = REPLICAS;
        private long lives;
        private int written;

        Run(long seed, Path root) {
            this.random = new Random(seed);
            this.root = root;
            this.network = new Network(loop, random, id -> nodes.get(id));
        }

        void go() throws IOException {
            for (int id : REPLICAS) {
                start(id);
            }
            network.lose(25);
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(14)) {
                    case 0 -> kill(random.nextInt(3));
                    case 1, 2 -> start(random.nextInt(3));
                    case 3 -> elect();
                    case 4 -> network.cut(random.nextInt(3));
                    case 5, 6 -> REPLICAS.forEach(network::heal);
                    default -> append();
                }
                pass(Duration.ofMillis(random.nextInt(40)));
            }
            settle();
        }

        private void append() {
            for (var node : nodes.values()) {
                // A deposed leader that has not heard of it appends too.
                if (node.leads()) {
                    int count = 1 + random.nextInt(3);
                    for (int i = 0; i < count; i++) {
                        node.replica().append("v-" + written++);
                    }
                }
            }
        }

        private void start(int id) throws IOException {
            if (!nodes.containsKey(id)) {
                nodes.put(id, new Node(id, ++lives, root.resolve("node-" + id), loop, network, partition -> proposes(id,
                        partition)));
                if (leader == NONE && isr.contains(id)) {
                    state(id, isr);
                } else {
                    publish();
                }
            }
        }

        private void kill(int id) {
            var node = nodes.remove(id);
            if (node == null) {
                return;
            }
            node.die();
            network.broken(id);
            var rest = isr.stream().filter(other -> other != id).toList();
            var next = rest.isEmpty() ? isr : rest;
            if (leader == id) {
                state(live(next), next);
            } else if (!next.equals(isr)) {
                isr = next;
                partitionEpoch++;
                publish();
            }
        }

        private void elect() {
            var live = isr.stream().filter(nodes::containsKey).toList();
            if (!live.isEmpty()) {
                state(live.get(random.nextInt(live.size())), isr);
            }
        }

        private int live(List<Integer> candidates) {
            return candidates.stream().filter(nodes::containsKey).findFirst().orElse(NONE);
        }

        private void state(int newLeader, List<Integer> newIsr) {
            leader = newLeader;
            isr = newIsr;
            leaderEpoch++;
            partitionEpoch++;
            publish();
        }

        /// Each hears of it in its own time.
        private void publish() {
            int toldLeader = leader;
            int toldLeaderEpoch = leaderEpoch;
            int toldPartitionEpoch = partitionEpoch;
            var toldIsr = isr;
            for (var node : List.copyOf(nodes.values())) {
                loop.schedule(Duration.ofMillis(random.nextInt(30)), () -> {
                    if (nodes.containsValue(node)) {
                        node.told(toldLeader, toldLeaderEpoch, toldPartitionEpoch, toldIsr, REPLICAS);
                    }
                });
            }
        }

        private void proposes(int id, Partition partition) {
            var node = nodes.get(id);
            loop.schedule(Duration.ofMillis(1 + random.nextInt(10)), () -> decide(node, partition));
        }

        private void decide(@Nullable Node node, Partition partition) {
            if (node == null || !nodes.containsValue(node)) {
                return;
            }
            var asked = partition.isr().proposal(node.epoch());
            if (asked == null) {
                return;
            }
            var proposal = asked.proposal();
            var wanted = proposal.isr().stream().map(InSync::broker).toList();
            boolean current = proposal.leaderEpoch() == leaderEpoch && proposal.partitionEpoch() == partitionEpoch;
            boolean alive = nodes.keySet().containsAll(wanted) && proposal.isr().stream().allMatch(each -> each
                    .brokerEpoch() < 0 || node(each.broker()).epoch() == each.brokerEpoch());
            Outcome outcome;
            if (current && alive) {
                isr = wanted;
                partitionEpoch++;
                publish();
                outcome = new Outcome(proposal.topicId(), proposal.partition(), Errors.NONE.code(), leader, leaderEpoch,
                        partitionEpoch, isr);
            } else {
                outcome = Outcome.refused(proposal, current
                        ? Errors.INELIGIBLE_REPLICA.code()
                        : Errors.INVALID_UPDATE_VERSION.code());
            }
            loop.schedule(Duration.ofMillis(1 + random.nextInt(10)), () -> {
                if (nodes.containsValue(node)) {
                    partition.isr().answered(asked, outcome);
                }
            });
        }

        private void pass(Duration time) throws IOException {
            for (long at = 0; at <= time.toMillis(); at += 5) {
                loop.advance(Duration.ofMillis(5));
                for (var node : nodes.values()) {
                    check(node);
                }
            }
        }

        /// High watermarks never go back, and never show anything else at an offset than any of them did before.
        private void check(Node node) throws IOException {
            long highWatermark = node.replica().log().highWatermark();
            long before = seen.getOrDefault(node, 0L);
            assertThat(highWatermark).as("high watermark of node %d", node.epoch()).isGreaterThanOrEqualTo(before);
            var values = node.values(before, highWatermark);
            for (int i = 0; i < values.size(); i++) {
                int offset = (int) before + i;
                if (offset == replicated.size()) {
                    replicated.add(values.get(i));
                }
                assertThat(values.get(i)).as("offset %d", offset).isEqualTo(replicated.get(offset));
            }
            seen.put(node, highWatermark);
            assertThat(node.meters().counter("millrace.replication.truncations.below.high.watermark").count()).isZero();
        }

        private Node node(int id) {
            return Objects.requireNonNull(nodes.get(id));
        }

        private void settle() throws IOException {
            network.lose(0);
            REPLICAS.forEach(network::heal);
            for (int id : REPLICAS) {
                start(id);
            }
            for (int second = 0; second < 100; second++) {
                pass(Duration.ofMillis(990));
                nodes.values().forEach(node -> node.replica().partition().isr().check());
            }
            assertThat(isr).containsExactlyInAnyOrderElementsOf(REPLICAS);
            var leaders = node(leader).replica().log();
            var content = node(leader).values(0, leaders.logEndOffset());
            assertThat(content).isEqualTo(replicated);
            for (var node : nodes.values()) {
                assertThat(node.values(0, node.replica().log().logEndOffset())).isEqualTo(content);
                assertThat(node.replica().log().highWatermark()).isEqualTo(content.size());
                for (int offset = 0; offset < content.size(); offset++) {
                    assertThat(node.replica().log().epochOf(offset)).isEqualTo(leaders.epochOf(offset));
                }
                node.replica().log().close();
            }
        }
    }
}
