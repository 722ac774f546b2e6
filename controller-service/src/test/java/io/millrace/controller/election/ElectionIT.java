package io.millrace.controller.election;

import static io.millrace.controller.TestZooKeeper.PATIENCE;
import static io.millrace.controller.TestZooKeeper.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.controller.TestZooKeeper;
import io.millrace.controller.core.Office;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.Deposed;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElectionIT {

    private final TestZooKeeper zookeeper = new TestZooKeeper();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Znodes tool = zookeeper.connect();
    private volatile boolean rivalIsDead;

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
        zookeeper.close();
    }

    @Test
    void oneOfTwoCandidatesWinsAndTheOtherTakesOverWhenItWithdraws() {
        var one = new Candidate(0);
        var two = new Candidate(1);
        await().atMost(PATIENCE).until(() -> one.office != null || two.office != null);
        var winner = one.office == null ? two : one;
        var other = one.office == null ? one : two;
        var first = office(winner);
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(read(Paths.CONTROLLER_EPOCH)).isEqualTo("1");
        assertThat(ControllerNode.parse(read(Paths.CONTROLLER)).id()).isEqualTo(winner.id);
        await().atMost(PATIENCE).until(() -> other.holder == winner.id);
        assertThat(other.office).isNull();

        winner.withdraw();

        await().atMost(PATIENCE).until(() -> other.office != null);
        assertThat(office(other).epoch()).isEqualTo(2);
        assertThat(office(other).epochVersion()).isEqualTo(first.epochVersion() + 1);
        assertThat(winner.office).isNull();
    }

    @Test
    void writeOfAZombieIsRefused() {
        var one = new Candidate(0);
        await().atMost(PATIENCE).until(() -> one.office != null);
        var stale = office(one);
        one.withdraw();
        var two = new Candidate(1);
        await().atMost(PATIENCE).until(() -> two.office != null);

        var write = one.znodes.guarded(stale.epochVersion(), List.of(new ZnodeWrite.Create("/zombie", "")));

        assertThatThrownBy(() -> get(write)).hasRootCauseInstanceOf(Deposed.class);
        assertThat(get(tool.read("/zombie"))).isEmpty();
    }

    @Test
    void holderWhoseNodeVanishesResignsAndStandsAgain() {
        var one = new Candidate(0);
        await().atMost(PATIENCE).until(() -> one.office != null);

        get(tool.delete(Paths.CONTROLLER, ZnodeWrite.ANY_VERSION));

        await().atMost(PATIENCE).until(() -> {
            var office = one.office;
            return office != null && office.epoch() == 2;
        });
        assertThat(one.resignations).isEqualTo(1);
    }

    @Test
    void officeIsLostWithTheSessionAndWonWithTheNext() throws Exception {
        var one = new Candidate(0);
        await().atMost(PATIENCE).until(() -> one.office != null);

        zookeeper.stop();
        await().atMost(PATIENCE).until(() -> one.office == null);
        zookeeper.restart();

        await().atMost(PATIENCE).until(() -> one.office != null);
        assertThat(office(one).epoch()).isEqualTo(2);
    }

    @Test
    void standbyRemovesTheNodeOfAHolderWhoseProcessIsGoneWithoutWaitingForItsSession() {
        var one = new Candidate(0);
        await().atMost(PATIENCE).until(() -> one.office != null);
        var two = new Candidate(1);
        await().atMost(PATIENCE).until(() -> two.holder == 0);
        assertThat(two.office).isNull();

        rivalIsDead = true;

        // Either may win what is free now; the fake calls everyone dead.
        await().atMost(PATIENCE).until(() -> !read(Paths.CONTROLLER_EPOCH).equals("1"));
    }

    @Test
    void deposedHolderResigns() {
        var one = new Candidate(0);
        await().atMost(PATIENCE).until(() -> one.office != null);

        one.loop.execute(one.onDeposed);

        await().atMost(PATIENCE).until(() -> one.resignations == 1);
    }

    private static Office office(Candidate candidate) {
        var office = candidate.office;
        if (office == null) {
            throw new AssertionError("no office");
        }
        return office;
    }

    private final class Candidate implements OfficeHolder {
        private final int id;
        private final Znodes znodes = zookeeper.connect();
        private final SingleThreadLoop loop;
        private final Election election;
        private volatile @Nullable Office office;
        private volatile Runnable onDeposed = () -> {};
        private volatile int resignations;
        private volatile int holder = -2;

        Candidate(int id) {
            this.id = id;
            loop = new SingleThreadLoop("candidate-" + id);
            open.add(loop);
            election = new Election(znodes, id, loop, Clock.systemUTC(), this, _ -> CompletableFuture.completedFuture(
                    rivalIsDead), now -> holder = now);
            loop.execute(election::start);
        }

        void withdraw() {
            get(CompletableFuture.supplyAsync(election::withdraw, loop).thenCompose(gone -> gone));
        }

        @Override
        public void standsBy() {
            // Nothing to prepare.
        }

        @Override
        public void elected(Office won, Runnable deposed) {
            onDeposed = deposed;
            office = won;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // written by the candidate's loop alone
        public void resigned() {
            office = null;
            resignations++;
        }
    }

    private String read(String path) {
        return get(tool.read(path)).orElseThrow().data();
    }
}
