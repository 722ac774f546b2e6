package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.controller.fixture.Cluster;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.partition.LeaderBalance;
import io.millrace.controller.topic.FakeConfigRules;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.znode.TopicNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two controllers over one tree: nodes come and go, tools write, terms change, answers get lost. What must always hold is
/// checked after every published version; then everything heals, and what must come about is demanded.
class ControllerSimulationTest {
    private static final Duration GRACE = Duration.ofSeconds(9);

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void invariantsHoldAndTheClusterHeals(long seed) {
        var simulation = new Simulation(seed);
        for (int step = 0; step < 150; step++) {
            simulation.step();
        }
        simulation.heal();
        simulation.checkHealed();
    }

    static LongStream seeds() {
        return Seeds.of(60);
    }

    private static final class Simulation implements Publication, CoreObserver {
        private final Random random;
        private final SimulatedLoop loop = new SimulatedLoop();
        private final MemoryStore.Tree tree = new MemoryStore.Tree();
        private final List<Controller> controllers = new ArrayList<>();
        private final Map<NodeKey, Long> streaming = new HashMap<>();
        private final Map<String, String> leaderOfEpoch = new HashMap<>();
        private final Map<String, String> isrOfEpoch = new HashMap<>();
        private final Map<Integer, ShardImage> newestShard = new TreeMap<>();
        private final HashSet<Long> producerIds = new HashSet<>();
        private final List<AssertionError> violations = new ArrayList<>();
        private ClusterImage published = ClusterImage.EMPTY;
        private int active = -1;
        private long nextEpoch = 100;
        private int nextTopic;

        Simulation(long seed) {
            random = new Random(seed);
            var decider = new Decider(new TopicRules(2, 1, true), new FakeConfigRules(), AlikeTopics.of(5, 1, Map.of(
                    "cleanup.policy", "compact")), new ElectionRules(false, 1), () -> new UUID(random.nextLong(), random
                            .nextLong()), random);
            for (int id = 0; id < 2; id++) {
                var realm = new Realm(decider, new MemoryStore(tree, loop), this, _ -> CompletableFuture
                        .completedFuture(
                                false), GRACE, Optional.of(new BalancePlan(Duration.ofSeconds(10), new LeaderBalance(
                                        10))), this);
                controllers.add(new Controller(realm, loop, loop.ticker(), () -> null));
            }
            elect();
        }

        void step() {
            switch (random.nextInt(22)) {
                case 0, 1, 2 -> comeOrGo(Role.BROKER, random.nextInt(4));
                case 3 -> comeOrGo(Role.COORDINATOR, 1000 + random.nextInt(3));
                case 4, 5 -> streamUpOrDown();
                case 6 -> ask(new CreateTopics(List.of(new NewTopic("t" + nextTopic++, 1 + random.nextInt(4), 1 + random
                        .nextInt(3), Map.of(), Map.of())), false, 0));
                case 7 -> anyTopic().ifPresent(topic -> ask(new DeleteTopics(List.of(TopicRef.named(topic)), 0)));
                case 8 -> anyTopic().ifPresent(topic -> ask(new CreatePartitions(List.of(new PartitionsSpec(topic, 6,
                        List
                                .of())), false, 0)));
                case 9 -> toolCreates();
                case 10 -> anyTopic().ifPresent(this::toolErasesTheId);
                case 11 -> anyTopic().ifPresent(topic -> {
                    tree.deletions.add(topic);
                    tree.changed(new Hint.Deletions());
                });
                case 12 -> {
                    if (random.nextInt(3) == 0) {
                        elect();
                    } else {
                        tree.unanswered += random.nextInt(3);
                    }
                }
                case 13, 14, 15 -> anyPartition().ifPresent(this::propose);
                case 16 -> anyPartition().ifPresent(this::touch);
                case 17 -> anyBroker().ifPresent(broker -> ask(new ControlledShutdown(Role.BROKER, broker.id(), broker
                        .epoch())));
                case 18 -> anyPartition().ifPresent(this::lose);
                case 19 -> electPreferred();
                case 20 -> published.liveCoordinators().stream().findAny().ifPresent(node -> ask(
                        new ControlledShutdown(Role.COORDINATOR, node.id(), node.epoch())));
                default -> allocate();
            }
            if (random.nextBoolean()) {
                prepareShards();
            }
            if (random.nextBoolean()) {
                loop.advance(Duration.ofMillis(random.nextInt(4_000)));
            }
            checkHolding();
        }

        /// A new term begins; half of the time the old holder has not heard of it and goes on.
        private void elect() {
            if (active >= 0 && random.nextBoolean()) {
                controllers.get(active).resigned();
            }
            int next = random.nextInt(controllers.size());
            if (next == active) {
                controllers.get(next).resigned();
            }
            int previous = active;
            active = next;
            if (previous >= 0 && previous != next) {
                tree.changed(new Hint.Everything());
            }
            published = ClusterImage.EMPTY;
            controllers.get(next).elected(tree.elect(next), () -> controllers.get(next).resigned());
        }

        private void comeOrGo(Role role, int id) {
            var key = new NodeKey(role, id);
            if (tree.nodes.containsKey(key) && random.nextBoolean()) {
                tree.nodes.remove(key);
                down(key);
            } else {
                down(key);
                tree.nodes.put(key, Cluster.node(role, id, nextEpoch++, null, NodeState.FENCED));
            }
            tree.changed(new Hint.Nodes());
        }

        private void streamUpOrDown() {
            var keys = List.copyOf(tree.nodes.keySet());
            if (keys.isEmpty()) {
                return;
            }
            var key = keys.get(random.nextInt(keys.size()));
            if (streaming.containsKey(key)) {
                down(key);
            } else {
                up(key);
            }
        }

        private void up(NodeKey key) {
            long epoch = present(tree.nodes.get(key)).epoch();
            streaming.put(key, epoch);
            tell(new ControllerEvent.StreamUp(key, epoch, null, ""));
        }

        private void down(NodeKey key) {
            var epoch = streaming.remove(key);
            if (epoch != null) {
                tell(new ControllerEvent.StreamDown(key, epoch));
            }
        }

        private void tell(ControllerEvent event) {
            loop.execute(() -> controllers.get(active).happened(event));
        }

        private <R> CompletableFuture<R> ask(Command<R> command) {
            return controllers.get(active).handle(command);
        }

        private Optional<String> anyTopic() {
            var names = tree.topics.keySet().stream().sorted().toList();
            return names.isEmpty()
                    ? Optional.empty()
                    : Optional.of(names.get(random.nextInt(names.size())));
        }

        private Optional<NodeImage> anyBroker() {
            var brokers = published.nodes().of(Role.BROKER);
            return brokers.isEmpty() ? Optional.empty() : Optional.of(brokers.get(random.nextInt(brokers.size())));
        }

        /// A partition as nodes know it, and the topic it is of.
        private record Place(TopicImage topic, PartitionImage partition) {}

        private Optional<Place> anyPartition() {
            return anyTopic().flatMap(published::topic).filter(topic -> !topic.partitions().isEmpty()).map(
                    topic -> new Place(topic, topic.partitions().get(random.nextInt(topic.partitions().size()))));
        }

        /// Its leader proposes some ISR, now and then on top of a state that is not the newest.
        private void propose(Place place) {
            var now = place.partition();
            var isr = new ArrayList<>(now.replicas());
            isr.removeIf(replica -> replica != now.leader() && random.nextBoolean());
            var proposal = new Proposal(place.topic().id(), now.partition(), now.leaderEpoch(), now.partitionEpoch()
                    - random.nextInt(8) / 7, isr.stream().map(id -> new InSync(id, AlterPartition.ANY_EPOCH)).toList());
            published.broker(now.leader()).ifPresent(leader -> ask(new AlterPartition(leader.id(), leader.epoch(), List
                    .of(proposal))));
        }

        /// Somebody writes the same state once more.
        private void touch(Place place) {
            var states = present(tree.topics.get(place.topic().name())).states;
            states.computeIfPresent(place.partition().partition(), (_, state) -> new Observation.PartitionSeen(state
                    .leader(), state.leaderEpoch(), state.isr(), state.elr(), state.version() + 1));
        }

        private void lose(Place place) {
            anyBroker().ifPresent(broker -> ask(new ReplicasOffline(broker.id(), broker.epoch(), List.of(
                    new ReplicasOffline.TopicPartitions(place.topic().id(), List.of(place.partition().partition()))))));
        }

        private void electPreferred() {
            if (random.nextBoolean()) {
                ask(new ElectLeaders(ElectLeaders.Type.PREFERRED, null, 0));
            } else {
                tree.askedElection = List.of(new TopicPartition("ghost", 0), new TopicPartition(anyTopic().orElse("t"),
                        0));
                tree.changed(new Hint.AskedElection());
            }
        }

        private void toolCreates() {
            var name = "tool" + nextTopic++;
            var partitions = new TreeMap<Integer, List<Integer>>(Map.of(0, List.of(random.nextInt(4), 4 + random
                    .nextInt(
                            2))));
            tree.topics.put(name, new MemoryStore.TopicEntry(new TopicNode(null, partitions, new TreeMap<>(),
                    new TreeMap<>(),
                    Map.of())));
            tree.changed(new Hint.Topic(name));
        }

        private void toolErasesTheId(String name) {
            var topic = present(tree.topics.get(name));
            topic.node = new TopicNode(null, topic.node.partitions(), new TreeMap<>(), new TreeMap<>(), Map.of());
            topic.version++;
            tree.changed(new Hint.Topic(name));
        }

        private static <T> T present(@Nullable T value) {
            return Optional.ofNullable(value).orElseThrow();
        }

        /// All successors have read along.
        private void prepareShards() {
            for (var node : published.nodes().of(Role.COORDINATOR)) {
                ask(new ShardsPrepared(node.id(), node.epoch(), published.groupShards().all().stream().filter(
                        shard -> shard.successor() == node.id()).map(shard -> new ShardsPrepared.Prepared(
                                ShardKind.GROUP, shard.shard(), shard.epoch() + 1)).toList()));
            }
        }

        private void allocate() {
            tree.nodes.values().stream().findAny().ifPresent(node -> ask(new AllocateProducerIds(node.id(), node
                    .epoch()))
                    .thenAccept(given -> demand(() -> assertThat(producerIds.add(given.first())).as("ids given once")
                            .isTrue())));
        }

        void heal() {
            tree.unanswered = 0;
            // Each in another life: nobody shuts down any more, and disks are well.
            List.copyOf(streaming.keySet()).forEach(this::down);
            for (int broker = 0; broker < 4; broker++) {
                tree.nodes.put(new NodeKey(Role.BROKER, broker), Cluster.node(Role.BROKER, broker, nextEpoch++,
                        null,
                        NodeState.FENCED));
            }
            tree.nodes.keySet().removeIf(node -> node.role() == Role.COORDINATOR && node.id() != 1000 && random
                    .nextBoolean());
            for (int coordinator = 1000; coordinator < 1003; coordinator++) {
                var key = new NodeKey(Role.COORDINATOR, coordinator);
                if (coordinator == 1000 || tree.nodes.containsKey(key)) {
                    tree.nodes.put(key, Cluster.node(Role.COORDINATOR, coordinator, nextEpoch++, null,
                            NodeState.FENCED));
                }
            }
            tree.changed(new Hint.Nodes());
            loop.advance(Duration.ofSeconds(30));
            tree.nodes.keySet().forEach(this::up);
            for (int second = 0; second < 30; second++) {
                loop.advance(Duration.ofSeconds(1));
                prepareShards();
            }
            loop.advance(Duration.ofSeconds(1));
        }

        void checkHealed() {
            checkHolding();
            assertThat(published.version().controllerEpoch()).isEqualTo(tree.epoch);
            assertThat(tree.askedElection).as("asked for and not over").isNull();
            assertThat(published.topic(ShardKind.GROUP.topic())).isPresent();
            assertThat(published.nodes().all()).allMatch(node -> node.active());
            assertThat(published.topics().byName().keySet()).isEqualTo(tree.topics.keySet());
            tree.topics.forEach((name, entry) -> {
                var topic = published.topic(name).orElseThrow();
                assertThat(entry.node.id()).as("id of " + name).isEqualTo(topic.id());
                topic.partitions().forEach(partition -> {
                    assertThat(partition.hasLeader()).as(name + " " + partition).isTrue();
                    var state = present(entry.states.get(partition.partition()));
                    assertThat(state.leader()).isEqualTo(partition.leader());
                    assertThat(state.leaderEpoch()).isEqualTo(partition.leaderEpoch());
                    assertThat(state.version()).isEqualTo(partition.partitionEpoch());
                });
            });
            int shards = published.topic(ShardKind.GROUP.topic()).orElseThrow().partitions().size();
            assertThat(published.groupShards().all()).allMatch(shard -> shard.hasOwner() == shard.shard() < shards);
            assertThat(List.copyOf(published.groupShards().all())).isEqualTo(tree.shards(ShardKind.GROUP).shards());
            checkEvenShares(published);
        }

        /// Kept for the test's own thread: the engine would take it for a failure of its own and go on.
        private void demand(Runnable check) {
            try {
                check.run();
            } catch (AssertionError violation) {
                violations.add(violation);
            }
        }

        private void checkHolding() {
            if (!violations.isEmpty()) {
                throw violations.getFirst();
            }
        }

        @Override
        public void begin(ClusterImage image) {
            demand(() -> check(image));
        }

        @Override
        public void publish(ClusterImage after, Delta delta) {
            if (after.version().controllerEpoch() < tree.epoch) {
                return; // of a controller that is deposed and has not heard of it: no node applies it
            }
            demand(() -> {
                assertThat(published.version()).isEqualTo(delta.from());
                assertThat(Replay.apply(published, delta)).isEqualTo(after);
                check(after);
            });
        }

        @Override
        public CompletableFuture<Boolean> applied(MetadataVersion version, Duration atMost) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void end() {
            // Nobody follows.
        }

        private void check(ClusterImage image) {
            if (image.version().controllerEpoch() < tree.epoch) {
                return;
            }
            published = image;
            image.topics().all().forEach(topic -> topic.partitions().forEach(partition -> {
                checkPartition(image, topic.name(), topic.id(), partition);
            }));
            checkShards(image);
        }

        private void checkPartition(ClusterImage image, String name, UUID id, PartitionImage partition) {
            assertThat(partition.replicas()).allMatch(replica -> image.coordinator(replica).isEmpty());
            if (partition.partitionEpoch() >= 0) {
                assertThat(partition.isr()).as("ISR of " + name).isNotEmpty();
            }
            if (partition.hasLeader()) {
                assertThat(partition.isr()).contains(partition.leader());
                assertThat(image.broker(partition.leader())).as("leader of " + name).isPresent();
                assertThat(partition.isr()).as("ISR of " + name).allSatisfy(member -> {
                    var broker = image.broker(member).orElseThrow();
                    assertThat(broker.state()).isNotEqualTo(NodeState.FENCED);
                    assertThat(broker.isFailed(id, partition.partition())).isFalse();
                });
            }
            var key = id + "-" + partition.partition() + "@" + partition.leaderEpoch();
            checkOne(leaderOfEpoch, key, Integer.toString(partition.leader()));
            checkOne(isrOfEpoch, key + "/" + partition.partitionEpoch(), partition.isr().toString());
        }

        private static void checkOne(Map<String, String> known, String key, String value) {
            assertThat(value).as("one at " + key).isEqualTo(known.getOrDefault(key, value));
            known.put(key, value);
        }

        private void checkShards(ClusterImage image) {
            for (var shard : image.groupShards().all()) {
                var newest = newestShard.get(shard.shard());
                if (newest != null && newest.epoch() == shard.epoch() && newest.hasOwner() && shard.hasOwner()) {
                    assertThat(shard.owner()).as("one owner an epoch").isEqualTo(newest.owner());
                }
                assertThat(newest == null || shard.epoch() >= newest.epoch()).as("shard epochs do not go back")
                        .isTrue();
                if (shard.hasOwner() || newest == null || shard.epoch() > newest.epoch()) {
                    newestShard.put(shard.shard(), shard);
                }
            }
        }

        private void checkEvenShares(ClusterImage image) {
            var owned = image.groupShards().all().stream().filter(ShardImage::hasOwner).collect(Collectors.groupingBy(
                    ShardImage::owner, Collectors.counting()));
            if (!owned.isEmpty()) {
                long most = owned.values().stream().mapToLong(Long::longValue).max().orElse(0);
                long least = owned.size() < image.liveCoordinators().size()
                        ? 0
                        : owned.values().stream().mapToLong(Long::longValue).min().orElse(0);
                assertThat(most - least).as("even shares").isLessThanOrEqualTo(1);
            }
        }

        @Override
        public void processed(Duration waited, Duration processed, int left) {}

        @Override
        public void image(ClusterImage image) {}

        @Override
        public void tookOver(Duration took) {}

        @Override
        public void elected(int unclean, Duration took) {
            demand(() -> assertThat(unclean).as("unclean elections, which are off").isZero());
        }

        /// Lost answers are reported too; those are no bugs.
        @Override
        public void failed() {}
    }
}
