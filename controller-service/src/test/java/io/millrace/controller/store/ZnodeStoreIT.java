package io.millrace.controller.store;

import static io.millrace.controller.TestZooKeeper.PATIENCE;
import static io.millrace.controller.TestZooKeeper.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.TestZooKeeper;
import io.millrace.controller.core.ClusterStore.WriteOutcome;
import io.millrace.controller.core.Hint;
import io.millrace.controller.core.Observation;
import io.millrace.controller.core.Observation.MovesSeen;
import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.core.Office;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.znode.PartitionStateNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZnodeStoreIT {
    private static final UUID ID = new UUID(1, 2);

    private final TestZooKeeper zookeeper = new TestZooKeeper();
    private final Znodes znodes = zookeeper.connect();
    private final SingleThreadLoop loop = new SingleThreadLoop("test");
    private final ZnodeStore store = new ZnodeStore(znodes, loop, Ticker.SYSTEM, () -> ID);
    private final Office office = new Office(0, 1, 0);

    @BeforeEach
    void pathsExist() {
        Paths.AT_START.forEach(path -> get(znodes.ensure(path)));
        get(znodes.create(Paths.CONTROLLER_EPOCH, "1"));
    }

    @AfterEach
    void close() throws Exception {
        loop.close();
        zookeeper.close();
    }

    @Test
    void topicLargerThanOneMultiIsWrittenReadAndDeletedWhole() {
        int partitions = 1_200;

        assertThat(write(creation("big", partitions))).isEqualTo(WriteOutcome.WRITTEN);
        var seen = everything(store).topics().get("big");

        assertThat(seen).isInstanceOfSatisfying(TopicSeen.Present.class, present -> {
            assertThat(present.states()).hasSize(partitions);
            assertThat(present.copiedId()).isEqualTo(ID);
        });
        assertThat(write(List.of(new StoreWrite.TopicDeletion("big")))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(znodes.children(Paths.TOPICS))).isEmpty();
        assertThat(get(znodes.children(Paths.DELETE_TOPICS))).isEmpty();
        assertThat(get(znodes.children(Paths.TOPIC_IDS))).isEmpty();
    }

    @Test
    void controllerThatWasDeposedChangesNothing() {
        get(znodes.set(Paths.CONTROLLER_EPOCH, "2", 0));

        assertThat(write(creation("t", 1))).isEqualTo(WriteOutcome.DEPOSED);

        assertThat(get(znodes.children(Paths.TOPICS))).isEmpty();
        assertThat(get(znodes.children(Paths.TOPIC_IDS))).isEmpty();
    }

    @Test
    void foldersThatAnInterruptedControllerLeftAreNoHindrance() {
        var all = creation("t", 2);
        assertThat(write(all.subList(0, 2))).isEqualTo(WriteOutcome.WRITTEN);
        get(znodes.ensure(Paths.partition("t", 0)));

        assertThat(write(all.subList(2, 4))).isEqualTo(WriteOutcome.WRITTEN);

        assertThat(get(znodes.read(Paths.partitionState("t", 1)))).isPresent();
    }

    @Test
    void writeOverWhatAnotherWroteIsAConflictAndMakesNothing() {
        write(creation("t", 1));
        get(znodes.set(Paths.partitionState("t", 0), "{}", ZnodeWrite.ANY_VERSION));
        var next = new PartitionImage(0, List.of(1), List.of(1), List.of(), List.of(), -1, 1, 1);

        var outcome = write(List.of(new StoreWrite.ConfigWrite(ConfigResource.topic("t"), Map.of(), StoreWrite.CREATE,
                true),
                new StoreWrite.StateWrite("t", next)));

        assertThat(outcome).isEqualTo(WriteOutcome.CONFLICT);
        assertThat(get(znodes.read(Paths.config(ConfigResource.topic("t"))))).isEmpty();
        assertThat(get(znodes.children(Paths.CONFIG_CHANGES))).isEmpty();
    }

    @Test
    void stateThatCannotBeReadCountsAsLeaderlessAtAnEpochThatWasNeverGiven() {
        write(creation("t", 1));
        get(znodes.set(Paths.partitionState("t", 0), "not json", ZnodeWrite.ANY_VERSION));

        var seen = everything(store).topics().get("t");

        assertThat(seen).isInstanceOfSatisfying(TopicSeen.Present.class, present -> assertThat(present.states())
                .hasEntrySatisfying(
                        0, state -> {
                            assertThat(state.leader()).isEqualTo(-1);
                            assertThat(state.leaderEpoch()).isEqualTo(1);
                            assertThat(state.isr()).containsExactly(1);
                        }));
    }

    @Test
    void clusterIdIsMadeOnce() {
        var first = everything(store);
        var second = everything(new ZnodeStore(znodes, loop, Ticker.SYSTEM, () -> new UUID(9, 9)));

        assertThat(first.whole()).isNotNull().extracting(whole -> whole.clusterId()).isEqualTo(
                "AAAAAAAAAAEAAAAAAAAAAg");
        assertThat(second.whole()).isEqualTo(first.whole());
    }

    @Test
    void watchesBecomeHintsUntilTheStoreIsClosed() {
        var hints = new CopyOnWriteArrayList<Hint>();
        onLoop(() -> store.open(hints::add));

        write(creation("t", 1));
        get(znodes.create(Paths.deleteTopic("t"), ""));
        get(znodes.create(Paths.broker(1), "{}"));

        await().atMost(PATIENCE).until(() -> hints.containsAll(List.of(new Hint.Topic("t"), new Hint.Deletions(),
                new Hint.Nodes())));
        get(CompletableFuture.runAsync(store::close, loop));
    }

    @Test
    void nothingIsMadeAfterTheFirstBatchThatIsRefused() {
        int partitions = 3_000;
        get(znodes.ensure(Paths.partition("big", 700)));
        get(znodes.create(Paths.partitionState("big", 700), "another's"));

        // The topic node is there already, as tools create it; its states are what is written.
        assertThat(write(creation("big", partitions).stream().filter(StoreWrite.StateWrite.class::isInstance).toList()))
                .isEqualTo(WriteOutcome.CONFLICT);

        var there = new BitSet();
        get(znodes.children(Paths.partitions("big"))).stream().map(Integer::parseInt).filter(partition -> get(znodes
                .read(Paths.partitionState("big", partition))).isPresent()).forEach(there::set);
        there.clear(700);
        assertThat(there.cardinality()).as("states without a gap from the first").isEqualTo(there.length())
                .isBetween(1, 699);
    }

    @Test
    void standbyTakesOverWithAllThatWasWrittenBeforeItsTurn() {
        get(CompletableFuture.runAsync(store::standBy, loop));
        write(creation("deleted", 20));
        write(creation("kept", 600));
        write(List.of(new StoreWrite.TopicDeletion("deleted")));
        // As the session of a standby that has just won the office: what it asks comes behind all that was written.
        try (var active = zookeeper.connect()) {
            for (int partition = 0; partition < 600; partition++) {
                get(active.set(Paths.partitionState("kept", partition),
                        new PartitionStateNode(2, 5, 1, List.of(2, 3)).json(), 0));
            }
            get(active.set(Paths.CONTROLLER_EPOCH, "2", 0));
        }
        get(znodes.set(Paths.CONTROLLER_EPOCH, "3", 1));

        onLoop(() -> store.open(_ -> {}));
        var seen = everything(store);

        assertThat(seen.topics()).containsOnlyKeys("kept");
        assertThat(seen.topics().get("kept")).isInstanceOfSatisfying(TopicSeen.Present.class, present -> assertThat(
                present.states()).hasSize(600).allSatisfy((_, state) -> assertThat(state).isEqualTo(new PartitionSeen(2,
                        5, List.of(2, 3), List.of(), 1))));
        assertThat(everything(store)).as("the same, read as a whole").isEqualTo(seen);
    }

    @Test
    void batchesKeepTheOrderAndTheBoundOfAMulti() {
        var writes = new ArrayList<ZnodeWrite>();
        for (int i = 0; i < 1_201; i++) {
            writes.add(new ZnodeWrite.Delete("/" + i, ZnodeWrite.ANY_VERSION));
        }
        writes.add(new ZnodeWrite.Create("/large", "x".repeat(600_000)));
        writes.add(new ZnodeWrite.Create("/small", "x"));

        var batches = WritePipeline.batches(writes);

        assertThat(batches).allMatch(batch -> batch.size() < Znodes.MAX_WRITES);
        assertThat(batches.stream().flatMap(List::stream).toList()).isEqualTo(writes);
        assertThat(batches).extracting(List::size).containsExactly(499, 499, 203, 1, 1);
    }

    @Test
    void movesThatAnOldToolAsksForAreSeenRewrittenAndTakenAway() {
        var hints = new CopyOnWriteArrayList<Hint>();
        onLoop(() -> store.open(hints::add));
        assertThat(everything(store).askedMoves()).isEqualTo(new MovesSeen.Absent());

        get(znodes.create(Paths.REASSIGN_PARTITIONS, "{\"version\":1,\"partitions\":["
                + "{\"topic\":\"t\",\"partition\":0,\"replicas\":[2,1]},{\"topic\":\"t\",\"partition\":1,\"replicas\":[1]}]}"));
        await().atMost(PATIENCE).until(() -> hints.contains(new Hint.AskedMoves()));

        var both = List.of(new Move("t", 0, List.of(2, 1)), new Move("t", 1, List.of(1)));
        assertThat(moves()).isEqualTo(new MovesSeen.Present(both, 0));
        assertThat(write(List.of(new StoreWrite.AskedMovesWrite(both.subList(0, 1), 0)))).isEqualTo(
                WriteOutcome.WRITTEN);
        assertThat(moves()).isEqualTo(new MovesSeen.Present(both.subList(0, 1), 1));
        assertThat(write(List.of(new StoreWrite.AskedMovesWrite(List.of(), 0)))).isEqualTo(WriteOutcome.CONFLICT);
        assertThat(write(List.of(new StoreWrite.AskedMovesWrite(List.of(), 1)))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(moves()).isEqualTo(new MovesSeen.Absent());
    }

    @Test
    void movesThatMakeNoSenseAreUnreadable() {
        get(znodes.create(Paths.REASSIGN_PARTITIONS, "{\"partitions\":3}"));

        assertThat(moves()).isEqualTo(new MovesSeen.Unreadable(0));
    }

    @Test
    void topicOfAnIllegalNameIsTakenForUnreadable() {
        get(znodes.create(Paths.topic("a b"), "{\"version\":2,\"partitions\":{\"0\":[1]}}"));

        assertThat(everything(store).topics()).containsExactly(Map.entry("a b", new TopicSeen.Unreadable(null)));
    }

    private @Nullable MovesSeen moves() {
        return onLoop(() -> store.observe(Set.of(new Hint.AskedMoves()))).askedMoves();
    }

    private static List<StoreWrite> creation(String topic, int partitions) {
        var assignments = new TreeMap<Integer, List<Integer>>();
        for (int partition = 0; partition < partitions; partition++) {
            assignments.put(partition, List.of(1));
        }
        var writes = new ArrayList<StoreWrite>();
        writes.add(new StoreWrite.TopicIdCopy(topic, ID));
        writes.add(new StoreWrite.TopicWrite(topic, new TopicNode(ID, assignments), StoreWrite.CREATE));
        assignments.forEach((partition, replicas) -> writes.add(new StoreWrite.StateWrite(topic, new PartitionImage(
                partition,
                replicas, replicas, List.of(), List.of(), 1, 0, 0))));
        return writes;
    }

    private Observation everything(ZnodeStore of) {
        return onLoop(() -> of.observe(Set.of(new Hint.Everything())));
    }

    private <T> T onLoop(Supplier<CompletableFuture<T>> asked) {
        return get(CompletableFuture.supplyAsync(asked, loop).thenCompose(answer -> answer));
    }

    private WriteOutcome write(List<StoreWrite> writes) {
        return get(store.write(writes, office));
    }
}
