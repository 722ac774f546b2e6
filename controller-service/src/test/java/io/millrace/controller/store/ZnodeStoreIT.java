package io.millrace.controller.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.ClusterStore.WriteOutcome;
import io.millrace.controller.core.Hint;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.core.Office;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.TopicNode;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZnodeStoreIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final UUID ID = new UUID(1, 2);

    private final TestingServer server = start();
    private final Znodes znodes = connect();
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
        znodes.close();
        server.close();
    }

    @Test
    void topicLargerThanOneMultiIsWrittenReadAndDeletedWhole() {
        int partitions = 1_200;

        assertThat(write(creation("big", partitions))).isEqualTo(WriteOutcome.WRITTEN);
        var seen = get(store.observe(Set.of(new Hint.Everything()))).topics().get("big");

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

        var seen = get(store.observe(Set.of(new Hint.Everything()))).topics().get("t");

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
        var first = get(store.observe(Set.of(new Hint.Everything())));
        var second = get(new ZnodeStore(znodes, loop, Ticker.SYSTEM, () -> new UUID(9, 9)).observe(Set.of(
                new Hint.Everything())));

        assertThat(first.whole()).isNotNull().extracting(whole -> whole.clusterId()).isEqualTo(
                "AAAAAAAAAAEAAAAAAAAAAg");
        assertThat(second.whole()).isEqualTo(first.whole());
    }

    @Test
    void watchesBecomeHintsUntilTheStoreIsClosed() {
        var hints = new CopyOnWriteArrayList<Hint>();
        get(CompletableFuture.supplyAsync(() -> store.open(hints::add), loop).thenCompose(open -> open));

        write(creation("t", 1));
        get(znodes.create(Paths.deleteTopic("t"), ""));
        get(znodes.create(Paths.broker(1), "{}"));

        await().atMost(PATIENCE).until(() -> hints.containsAll(List.of(new Hint.Topic("t"), new Hint.Deletions(),
                new Hint.Nodes())));
        get(CompletableFuture.runAsync(store::close, loop));
    }

    @Test
    void batchesKeepTheOrderAndTheBoundOfAMulti() {
        var writes = new ArrayList<ZnodeWrite>();
        for (int i = 0; i < 1_201; i++) {
            writes.add(new ZnodeWrite.Delete("/" + i, ZnodeWrite.ANY_VERSION));
        }
        writes.add(new ZnodeWrite.Create("/large", "x".repeat(600_000)));
        writes.add(new ZnodeWrite.Create("/small", "x"));

        var batches = ZnodeStore.batches(writes);

        assertThat(batches).allMatch(batch -> batch.size() <= Znodes.MAX_WRITES);
        assertThat(batches.stream().flatMap(List::stream).toList()).isEqualTo(writes);
        assertThat(batches).extracting(List::size).containsExactly(500, 500, 201, 1, 1);
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

    private WriteOutcome write(List<StoreWrite> writes) {
        return get(store.write(writes, office));
    }

    private static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static TestingServer start() {
        try {
            return new TestingServer(true);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Znodes connect() {
        try {
            return Znodes.connect(new ZooKeeperConfig(server.getConnectString(), Duration.ofSeconds(6), PATIENCE),
                    new SimpleMeterRegistry());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
