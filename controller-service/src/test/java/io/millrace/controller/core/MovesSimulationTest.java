package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.controller.fixture.Cluster;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.topic.FakeConfigRules;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Partitions are moved by commands and by the node of old tools, called off and moved elsewhere, while followers catch up
/// and fall behind, brokers die, and controllers fail between any two writes. What must always hold is checked after each
/// version; in the end everything heals, followers catch up, and every move must be over.
class MovesSimulationTest {
    private static final int BROKERS = 6;

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void movesEndAtTheirTargetOrWhereTheyCameFrom(long seed) {
        var simulation = new Simulation(seed);
        for (int step = 0; step < 120; step++) {
            simulation.step();
        }
        simulation.heal();
        simulation.checkHealed();
    }

    static LongStream seeds() {
        return Seeds.of(150);
    }

    private static final class Simulation implements Publication, CoreObserver {
        private final Random random;
        private final SimulatedLoop loop = new SimulatedLoop();
        private final MemoryStore.Tree tree = new MemoryStore.Tree();
        private final List<Controller> controllers = new ArrayList<>();
        private final List<AssertionError> violations = new ArrayList<>();
        /// Sets of brokers at which a partition may end: all that anyone ever asked for, and where it began.
        private final Map<String, Set<Set<Integer>>> ends = new HashMap<>();
        private ClusterImage published = ClusterImage.EMPTY;
        private int active;
        private long nextEpoch = 100;

        Simulation(long seed) {
            random = new Random(seed);
            var decider = new Decider(new TopicRules(2, 1, true), new FakeConfigRules(), AlikeTopics.of(3, 2, Map.of()),
                    new ElectionRules(false, 1), () -> new UUID(random.nextLong(), random.nextLong()), random);
            for (int id = 0; id < 2; id++) {
                var realm = new Realm(decider, new MemoryStore(tree, loop), this, _ -> CompletableFuture
                        .completedFuture(false), Duration.ofSeconds(9), Optional.empty(), this);
                controllers.add(new Controller(realm, loop, loop.ticker(), () -> null));
            }
            IntStream.range(0, BROKERS).forEach(this::start);
            elect();
            loop.advance(Duration.ofSeconds(1));
            for (var topic : List.of("a", "b")) {
                create(topic);
            }
            loop.advance(Duration.ofSeconds(1));
        }

        void step() {
            switch (random.nextInt(16)) {
                case 0, 1 -> move();
                case 2 -> callOff();
                case 3 -> toolAsks();
                case 4, 5, 6, 7, 8 -> propose(true);
                case 9 -> propose(false);
                case 10 -> startOrStop(random.nextInt(BROKERS));
                case 11 -> tree.cutAfter = random.nextInt(6);
                case 12 -> elect();
                case 13 -> anyTopic().ifPresent(this::growOrWrite);
                case 14 -> deleteOrCreate();
                default -> loop.advance(Duration.ofMillis(random.nextInt(2_000)));
            }
            if (random.nextInt(4) > 0) {
                loop.advance(Duration.ofMillis(random.nextInt(400)));
            }
            checkHolding();
        }

        private void elect() {
            if (random.nextBoolean()) {
                controllers.get(active).resigned();
            }
            active = random.nextInt(controllers.size());
            controllers.get(active).resigned();
            int elected = active;
            controllers.get(elected).elected(tree.elect(elected), () -> controllers.get(elected).resigned());
            tree.nodes.values().forEach(node -> loop.schedule(Duration.ofMillis(10), () -> controllers.get(elected)
                    .happened(new ControllerEvent.StreamUp(node.key(), node.epoch(), null, ""))));
        }

        private void start(int broker) {
            var key = new NodeKey(Role.BROKER, broker);
            long epoch = nextEpoch++;
            tree.nodes.put(key, Cluster.node(Role.BROKER, broker, epoch, null, NodeState.FENCED));
            tree.changed(new Hint.Nodes());
            loop.schedule(Duration.ofMillis(50), () -> controllers.get(active).happened(new ControllerEvent.StreamUp(
                    key,
                    epoch, null, "")));
        }

        private void startOrStop(int broker) {
            if (tree.nodes.remove(new NodeKey(Role.BROKER, broker)) == null) {
                start(broker);
            } else {
                tree.changed(new Hint.Nodes());
            }
        }

        private void create(String topic) {
            controllers.get(active).handle(new CreateTopics(List.of(new NewTopic(topic, 3, 2, Map.of(), Map.of())),
                    false,
                    0));
        }

        private void deleteOrCreate() {
            if (random.nextInt(4) > 0) {
                return;
            }
            var topic = random.nextBoolean() ? "a" : "b";
            if (published.topic(topic).isPresent()) {
                controllers.get(active).handle(new DeleteTopics(List.of(TopicRef.named(topic)), 0));
            } else {
                create(topic);
            }
        }

        /// A topic gets more partitions, or an old tool writes its node as it is, without the id.
        private void growOrWrite(TopicImage topic) {
            var entry = tree.topics.get(topic.name());
            if (random.nextBoolean()) {
                controllers.get(active).handle(new CreatePartitions(List.of(new PartitionsSpec(topic.name(), topic
                        .partitions().size() + 1, List.of())), false, 0));
            } else if (entry != null) {
                entry.node = new TopicNode(null, entry.node.partitions(), entry.node.adding(), entry.node.removing(),
                        Map.of());
                entry.version++;
                tree.changed(new Hint.Topic(topic.name()));
            }
        }

        private Optional<TopicImage> anyTopic() {
            var topics = new ArrayList<>(new TreeMap<>(published.topics().byName()).values());
            topics.removeIf(topic -> topic.partitions().isEmpty());
            return topics.isEmpty() ? Optional.empty() : Optional.of(topics.get(random.nextInt(topics.size())));
        }

        private List<Integer> anyBrokers() {
            var ids = new ArrayList<>(IntStream.range(0, BROKERS).boxed().toList());
            Collections.shuffle(ids, random);
            return List.copyOf(ids.subList(0, 1 + random.nextInt(3)));
        }

        private void move() {
            anyTopic().ifPresent(topic -> {
                var targets = new ArrayList<Target>();
                for (var partition : topic.partitions()) {
                    if (random.nextBoolean()) {
                        targets.add(new Target(topic.name(), partition.partition(), asked(topic, partition,
                                anyBrokers())));
                    }
                }
                ask(targets);
            });
        }

        private void callOff() {
            anyTopic().ifPresent(topic -> ask(topic.partitions().stream().map(partition -> new Target(topic.name(),
                    partition.partition(), null)).toList()));
        }

        private void ask(List<Target> targets) {
            controllers.get(active).handle(new AlterReassignments(targets, true, false, 0)).whenComplete((result,
                    _) -> {
                if (result != null) {
                    demand(() -> assertThat(result.outcomes()).extracting(outcome -> Errors.forCode(outcome
                            .errorCode()))
                            .isSubsetOf(Errors.NONE, Errors.INVALID_REPLICA_ASSIGNMENT,
                                    Errors.NO_REASSIGNMENT_IN_PROGRESS, Errors.UNKNOWN_TOPIC_OR_PARTITION));
                }
            });
        }

        /// As the tool does: only where there is nothing in hand. Some of what it asks makes no sense.
        private void toolAsks() {
            if (tree.askedVersion != StoreWrite.CREATE) {
                return;
            }
            var moves = new ArrayList<Move>();
            anyTopic().ifPresent(topic -> topic.partitions().forEach(partition -> moves.add(new Move(topic.name(),
                    partition.partition(), asked(topic, partition, anyBrokers())))));
            moves.add(new Move("ghost", 0, List.of(1)));
            moves.add(new Move("a", 0, List.of(1, 1)));
            tree.askedMoves = List.copyOf(moves);
            tree.askedVersion = 0;
            tree.changed(new Hint.AskedMoves());
        }

        private List<Integer> asked(TopicImage topic, PartitionImage partition, List<Integer> replicas) {
            ends.computeIfAbsent(key(topic, partition), _ -> new HashSet<>()).add(new TreeSet<>(replicas));
            return replicas;
        }

        private static String key(TopicImage topic, PartitionImage partition) {
            return topic.id() + "-" + partition.partition();
        }

        /// Some leader takes a follower into the ISR, or puts one out.
        private void propose(boolean grow) {
            anyTopic().ifPresent(topic -> {
                var partition = topic.partitions().get(random.nextInt(topic.partitions().size()));
                var isr = new ArrayList<>(partition.isr());
                var others = new ArrayList<>(partition.replicas());
                others.removeIf(id -> id == partition.leader() || grow == isr.contains(id) || (grow && !isAlive(id)));
                if (partition.hasLeader() && !others.isEmpty()) {
                    var other = others.get(random.nextInt(others.size()));
                    if (grow) {
                        isr.add(other);
                    } else {
                        isr.removeIf(other::equals);
                    }
                    propose(topic, partition, isr);
                }
            });
        }

        private void propose(TopicImage topic, PartitionImage partition, List<Integer> isr) {
            var leader = published.broker(partition.leader());
            leader.ifPresent(node -> controllers.get(active).handle(new AlterPartition(node.id(), node.epoch(), List.of(
                    new Proposal(topic.id(), partition.partition(), partition.leaderEpoch(), partition.partitionEpoch(),
                            isr.stream().map(id -> new InSync(id, AlterPartition.ANY_EPOCH)).toList())))));
        }

        private boolean isAlive(int broker) {
            return published.broker(broker).filter(node -> node.active()).isPresent();
        }

        /// All brokers come up and all followers catch up, until nothing moves any more.
        void heal() {
            tree.cutAfter = -1;
            IntStream.range(0, BROKERS).filter(broker -> !tree.nodes.containsKey(new NodeKey(Role.BROKER, broker)))
                    .forEach(this::start);
            controllers.get(active).resigned();
            elect();
            loop.advance(Duration.ofSeconds(30));
            for (int round = 0; round < 4; round++) {
                published.topics().all().forEach(topic -> topic.partitions().stream().filter(partition -> partition
                        .hasLeader()).forEach(partition -> propose(topic, partition, partition.replicas())));
                loop.advance(Duration.ofSeconds(5));
            }
        }

        void checkHealed() {
            checkHolding();
            assertThat(tree.askedVersion).as("asked for and not over: " + tree.askedMoves).isEqualTo(StoreWrite.CREATE);
            assertThat(published.topics().byName().keySet()).isEqualTo(tree.topics.keySet());
            published.topics().all().forEach(topic -> topic.partitions().forEach(partition -> {
                var what = topic.name() + " " + partition;
                assertThat(partition.isMoving()).as(what).isFalse();
                assertThat(ends.getOrDefault(key(topic, partition), Set.of())).as(what).contains(new TreeSet<>(partition
                        .replicas()));
                assertThat(partition.isr()).as(what).hasSameElementsAs(partition.replicas());
                checkNodes(topic, partition);
            }));
        }

        private void checkNodes(TopicImage topic, PartitionImage partition) {
            var entry = Optional.ofNullable(tree.topics.get(topic.name())).orElseThrow();
            var state = Optional.ofNullable(entry.states.get(partition.partition())).orElseThrow();
            assertThat(entry.node.id()).isEqualTo(topic.id());
            assertThat(entry.node.partitions().get(partition.partition())).isEqualTo(partition.replicas());
            assertThat(entry.node.adding()).doesNotContainKey(partition.partition());
            assertThat(entry.node.removing()).doesNotContainKey(partition.partition());
            assertThat(state.isr()).isEqualTo(partition.isr());
            assertThat(state.leader()).isEqualTo(partition.leader());
            assertThat(state.leaderEpoch()).isEqualTo(partition.leaderEpoch());
            assertThat(state.version()).isEqualTo(partition.partitionEpoch());
        }

        private void demand(Runnable check) {
            try {
                check.run();
            } catch (AssertionError violation) {
                violations.add(violation);
            } catch (RuntimeException broken) {
                violations.add(new AssertionError("the check itself failed", broken));
            }
        }

        private void checkHolding() {
            if (!violations.isEmpty()) {
                throw violations.getFirst();
            }
        }

        @Override
        public void begin(ClusterImage image) {
            published(image);
        }

        @Override
        public void publish(ClusterImage after, Delta delta) {
            if (after.version().controllerEpoch() == tree.epoch) {
                var step = published;
                for (var record : delta.records()) {
                    var next = Replay.apply(step, List.of(record));
                    if (record instanceof PartitionPut put) {
                        var before = step.topic(put.topicId()).flatMap(topic -> topic.partition(put.partition()
                                .partition()));
                        var topic = next.topic(put.topicId()).orElseThrow();
                        before.ifPresent(was -> demand(() -> checkStep(topic, was, put.partition())));
                    }
                    step = next;
                }
            }
            published(after);
        }

        private void published(ClusterImage image) {
            if (image.version().controllerEpoch() < tree.epoch) {
                return; // of a controller that is deposed and has not heard of it: no node applies it
            }
            var before = published;
            published = image;
            image.topics().all().forEach(topic -> topic.partitions().forEach(partition -> demand(() -> {
                ends.computeIfAbsent(key(topic, partition), _ -> new HashSet<>(Set.of(new TreeSet<>(partition
                        .replicas()))));
                check(image, topic, partition);
                before.topic(topic.id()).flatMap(known -> known.partition(partition.partition())).ifPresent(
                        was -> check(
                                topic, was, partition));
            })));
        }

        private static void check(ClusterImage image, TopicImage topic, PartitionImage partition) {
            var what = topic.name() + " " + partition;
            assertThat(partition.replicas()).as(what).isNotEmpty().doesNotHaveDuplicates();
            assertThat(partition.replicas()).as(what).containsAll(partition.isr()).containsAll(partition.adding())
                    .containsAll(partition.removing());
            assertThat(Collections.disjoint(partition.adding(), partition.removing())).as(what).isTrue();
            if (partition.partitionEpoch() >= 0) {
                assertThat(partition.isr()).as(what).isNotEmpty();
            }
            if (partition.hasLeader()) {
                assertThat(partition.isr()).as(what).contains(partition.leader());
                assertThat(image.broker(partition.leader())).as(what).isPresent();
            }
        }

        /// Whoever is in sync and stays a replica stays in sync, and a move that ends where it went to has all of its target
        /// in sync.
        private static void checkStep(TopicImage topic, PartitionImage before, PartitionImage after) {
            var what = topic.name() + " from " + before + " to " + after;
            if (after.replicas().equals(before.replicas()) || before.partitionEpoch() < 0) {
                return;
            }
            assertThat(after.isr()).as(what).isEqualTo(before.isr().stream().filter(after.replicas()::contains)
                    .toList());
            assertThat(after.isr()).as(what).isNotEmpty();
            boolean arrived = before.isMoving() && !after.isMoving() && after.replicas().containsAll(before.adding())
                    && Collections.disjoint(after.replicas(), before.removing());
            if (arrived) {
                assertThat(after.isr()).as(what).hasSameElementsAs(after.replicas());
            }
        }

        /// Epochs never go back.
        private static void check(TopicImage topic, PartitionImage before, PartitionImage after) {
            var what = topic.name() + " from " + before + " to " + after;
            assertThat(after.leaderEpoch()).as(what).isGreaterThanOrEqualTo(before.leaderEpoch());
            assertThat(after.partitionEpoch()).as(what).isGreaterThanOrEqualTo(before.partitionEpoch());
            if (!after.replicas().equals(before.replicas()) && before.partitionEpoch() >= 0) {
                assertThat(after.partitionEpoch()).as(what).isGreaterThan(before.partitionEpoch());
            }
            if (after.leader() != before.leader() && after.hasLeader()) {
                assertThat(after.leaderEpoch()).as(what).isGreaterThan(before.leaderEpoch());
            }
        }

        @Override
        public CompletableFuture<Boolean> applied(MetadataVersion version, Duration atMost) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void end() {
            // Nobody follows.
        }

        @Override
        public void processed(Duration waited, Duration processed, int left) {}

        @Override
        public void image(ClusterImage image) {}

        @Override
        public void tookOver(Duration took) {}

        @Override
        public void elected(int unclean, Duration took) {
            demand(() -> assertThat(unclean).as("unclean elections").isZero());
        }

        /// Lost answers are reported too; those are no bugs.
        @Override
        public void failed() {}
    }
}
