package io.millrace.metadata.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.metadata.zookeeper.ZnodeEvent.Changed;
import io.millrace.metadata.zookeeper.ZnodeEvent.Created;
import io.millrace.metadata.zookeeper.ZnodeEvent.Deleted;
import io.millrace.metadata.zookeeper.ZnodeEvent.Reset;
import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Against a real ZooKeeper in this process.
class ZnodesIT {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TestingServer server = start();
    private final SingleThreadLoop loop = new SingleThreadLoop("test");
    private final List<Znodes> open = new ArrayList<>();
    private Znodes znodes = connect("/some/chroot");

    private static TestingServer start() {
        try {
            return new TestingServer(true);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Znodes connect(String chroot) {
        try {
            var connected = Znodes.connect(
                    new ZooKeeperConfig(server.getConnectString() + chroot, SESSION, PATIENCE),
                    new SimpleMeterRegistry());
            open.add(connected);
            return connected;
        } catch (ZnodesUnavailable | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @BeforeEach
    void rootsExist() {
        get(znodes.ensure("/brokers/ids"));
        get(znodes.create("/controller_epoch", "0"));
    }

    @AfterEach
    void close() throws Exception {
        open.forEach(Znodes::close);
        loop.close();
        server.close();
    }

    @Test
    void everythingLivesUnderTheChrootThatIsCreatedWhereMissing() {
        get(znodes.create("/here", "x"));

        assertThat(get(connect("").read("/some/chroot/here"))).map(Znode::data).contains("x");
    }

    @Test
    void ensuringTwiceIsHarmlessAndCreatesParents() {
        get(znodes.ensure("/a/b/c"));
        get(znodes.ensure("/a/b/c"));

        assertThat(get(znodes.children("/a/b"))).containsExactly("c");
        assertThat(get(znodes.children("/missing"))).isEmpty();
    }

    @Test
    void thousandsOfNodesAreReadInOrderWithTheMissingOnesEmpty() {
        var writes = IntStream.range(0, 400)
                .<ZnodeWrite>mapToObj(i -> new ZnodeWrite.Create("/n" + i, "data" + i))
                .toList();
        get(znodes.multi(writes));
        var paths = IntStream.range(0, 5_000).mapToObj(i -> "/n" + i % 500).toList();

        var nodes = get(znodes.readAll(paths));

        assertThat(nodes).hasSize(5_000);
        assertThat(IntStream.range(0, 5_000)).allSatisfy(i -> assertThat(nodes.get(i).map(Znode::data)).isEqualTo(
                i % 500 < 400 ? Optional.of("data" + i % 500) : Optional.empty()));
        assertThat(get(znodes.readAll(List.of()))).isEmpty();
    }

    @Test
    void answersLargerThanOneMebibyteAreRead() {
        var large = "x".repeat(600_000);
        IntStream.range(0, 4).forEach(i -> get(znodes.create("/large" + i, large)));

        var nodes = get(znodes.readAll(IntStream.range(0, 4).mapToObj(i -> "/large" + i).toList()));

        assertThat(nodes).allSatisfy(node -> assertThat(node.orElseThrow().data()).hasSize(large.length()));
    }

    @Test
    void versionsAndTransactionsAreShown() {
        get(znodes.create("/v", "1"));
        var before = get(znodes.read("/v")).orElseThrow();

        var written = get(znodes.set("/v", "2", before.version()));

        var after = get(znodes.read("/v")).orElseThrow();
        assertThat(written).isEqualTo(new Written("/v", before.version() + 1));
        assertThat(after.version()).isEqualTo(written.version());
        assertThat(after.czxid()).isEqualTo(before.czxid()).isPositive();
        assertThat(refusal(znodes.set("/v", "3", before.version())).reason()).isEqualTo(Reason.BAD_VERSION);
    }

    @Test
    void multiWritesAllOrNothingAndNamesTheWriteThatFailed() {
        var refused = refusal(znodes.multi(List.of(new ZnodeWrite.Create("/one", ""),
                new ZnodeWrite.Set("/missing", "", ZnodeWrite.ANY_VERSION), new ZnodeWrite.Create("/two", ""))));

        assertThat(refused.reason()).isEqualTo(Reason.NO_NODE);
        assertThat(refused.path()).isEqualTo("/missing");
        assertThat(get(znodes.read("/one"))).isEmpty();
    }

    @Test
    void sequentialNodesGetTenDigits() {
        get(znodes.ensure("/config/changes"));

        var written = get(znodes.multi(List.of(
                new ZnodeWrite.CreateSequential("/config/changes/config_change_", "x"))));

        assertThat(written.getFirst().path()).isEqualTo("/config/changes/config_change_0000000000");
    }

    @Test
    void guardedWritesAreRefusedOnceTheEpochMovedOn() {
        assertThat(get(znodes.guarded(0, List.of(new ZnodeWrite.Create("/mine", "1"))))).containsExactly(
                new Written("/mine", 0));
        get(znodes.set("/controller_epoch", "1", 0));

        assertThatThrownBy(() -> znodes.guarded(0, List.of(new ZnodeWrite.Set("/mine", "2", ZnodeWrite.ANY_VERSION)))
                .get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(Deposed.class);
        assertThat(get(znodes.read("/mine"))).map(Znode::data).contains("1");
        assertThat(refusalOf(znodes.guarded(1, List.of(new ZnodeWrite.Create("/mine", ""))))).isEqualTo(
                Reason.NODE_EXISTS);
    }

    @Test
    void wholeTreesAreDeleted() {
        get(znodes.ensure("/tree/a/b"));
        get(znodes.ensure("/tree/a/c"));
        get(znodes.multi(IntStream.range(0, 450)
                .<ZnodeWrite>mapToObj(i -> new ZnodeWrite.Create("/tree/a/b/" + i, ""))
                .toList()));

        get(znodes.deleteTree("/tree"));

        assertThat(get(znodes.read("/tree"))).isEmpty();
        get(znodes.deleteTree("/tree"));
    }

    @Test
    void ephemeralNodeOfALiveStrangerIsNotTaken() {
        var other = connect("/some/chroot");
        var theirs = get(other.createEphemeral("/brokers/ids/1", "theirs"));

        assertThat(refusalOf(znodes.createEphemeral("/brokers/ids/1", "ours"))).isEqualTo(Reason.NODE_EXISTS);
        assertThat(get(znodes.read("/brokers/ids/1"))).contains(theirs);
        other.close();
        await().atMost(PATIENCE).until(() -> get(znodes.read("/brokers/ids/1")).isEmpty());
    }

    @Test
    void ownEphemeralNodeIsReplacedOnlyWhereItDiffers() {
        var first = get(znodes.createEphemeral("/brokers/ids/1", "a"));

        assertThat(get(znodes.createEphemeral("/brokers/ids/1", "a"))).isEqualTo(first);
        var second = get(znodes.createEphemeral("/brokers/ids/1", "b"));

        assertThat(second.czxid()).isGreaterThan(first.czxid());
        assertThat(get(znodes.read("/brokers/ids/1"))).map(Znode::data).contains("b");
    }

    @Test
    void watchesTellOfTheWholeTreeAndComeBackAfterALostConnection() throws Exception {
        var events = new CopyOnWriteArrayList<ZnodeEvent>();
        var watch = znodes.watch("/brokers", loop, events::add);
        await().atMost(PATIENCE).until(() -> events.contains(new Reset("/brokers")));

        get(znodes.create("/brokers/ids/1", ""));
        get(znodes.set("/brokers/ids/1", "x", 0));
        get(znodes.delete("/brokers/ids/1", 1));
        await().atMost(PATIENCE).until(() -> events.size() >= 4);
        assertThat(events).containsSubsequence(new Created("/brokers/ids/1"), new Changed("/brokers/ids/1"),
                new Deleted("/brokers/ids/1"));

        events.clear();
        server.restart();
        await().atMost(PATIENCE).until(() -> events.contains(new Reset("/brokers")));
        get(znodes.create("/brokers/ids/2", ""));
        await().atMost(PATIENCE).until(() -> events.contains(new Created("/brokers/ids/2")));

        watch.close();
        events.clear();
        get(znodes.create("/brokers/ids/3", ""));
        get(znodes.read("/brokers/ids/3"));
        assertThat(events).isEmpty();
    }

    @Test
    void suspendedIsNotLostAndTheEphemeralNodesLiveOn() throws Exception {
        var states = new CopyOnWriteArrayList<SessionState>();
        znodes.session(loop, states::add);
        var mine = get(znodes.createEphemeral("/brokers/ids/1", "a"));

        server.restart();

        await().atMost(PATIENCE).until(() -> states.contains(SessionState.SUSPENDED)
                && states.getLast() == SessionState.CONNECTED);
        assertThat(states).doesNotContain(SessionState.LOST);
        assertThat(get(znodes.createEphemeral("/brokers/ids/1", "a"))).isEqualTo(mine);
    }

    @Test
    void afterALostSessionTheNodeComesBackUnderANewEpoch() throws Exception {
        var states = new CopyOnWriteArrayList<SessionState>();
        znodes.session(loop, states::add);
        var before = get(znodes.createEphemeral("/brokers/ids/1", "a"));
        server.stop();
        await().atMost(PATIENCE).until(() -> states.contains(SessionState.LOST));
        assertThat(znodes.state()).isEqualTo(SessionState.LOST);

        server.restart();
        await().atMost(PATIENCE).until(() -> states.getLast() == SessionState.CONNECTED);

        // The old session may live on in the server: its node is ours to replace.
        var after = get(znodes.createEphemeral("/brokers/ids/1", "a"));
        assertThat(after.czxid()).isGreaterThan(before.czxid());
        assertThat(after.ephemeralOwner()).isNotEqualTo(before.ephemeralOwner());
    }

    @Test
    void writesAreNotRepeatedAndReadsAreTriedAgainWhileTheServerIsAway() throws Exception {
        get(znodes.create("/there", "x"));
        server.stop();
        await().atMost(PATIENCE).until(() -> znodes.state() != SessionState.CONNECTED);

        assertThatThrownBy(() -> znodes.set("/there", "y", 0).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ZnodesUnavailable.class);
        var read = znodes.read("/there");
        server.restart();

        assertThat(get(read)).map(Znode::data).contains("x");
    }

    @Test
    void waitingForAServerThatIsNotThereEnds() {
        var nowhere = new ZooKeeperConfig("localhost:1/chroot", SESSION, Duration.ofMillis(300));

        assertThatThrownBy(() -> Znodes.connect(nowhere, new SimpleMeterRegistry()))
                .isInstanceOf(ZnodesUnavailable.class)
                .hasMessageContaining("localhost:1");
    }

    private static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static Reason refusalOf(CompletableFuture<?> future) {
        return refusal(future).reason();
    }

    private static ZnodeRefused refusal(CompletableFuture<?> future) {
        try {
            future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof ZnodeRefused refused) {
                return refused;
            }
            throw new AssertionError(failure.getCause());
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
        throw new AssertionError("not refused");
    }
}
