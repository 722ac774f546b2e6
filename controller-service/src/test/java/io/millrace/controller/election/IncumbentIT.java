package io.millrace.controller.election;

import static io.millrace.controller.TestZooKeeper.PATIENCE;
import static io.millrace.controller.TestZooKeeper.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.controller.TestZooKeeper;
import io.millrace.controller.election.Vigil.Sign;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.Znodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// With a vigil that the test sees for.
class IncumbentIT {
    private static final int HOLDER = 7;

    private final TestZooKeeper zookeeper = new TestZooKeeper();
    private final Znodes znodes = zookeeper.connect();
    private final SingleThreadLoop loop = new SingleThreadLoop("test");
    private final List<Consumer<Sign>> watches = new ArrayList<>();
    private final AtomicInteger suspicions = new AtomicInteger();
    private final Incumbent incumbent = new Incumbent(1, znodes, loop, (_, _) -> CompletableFuture.completedFuture(
            false), (_, signs) -> {
                watches.add(signs);
                var closed = new AtomicInteger();
                return closed::incrementAndGet;
            }, _ -> {});

    @BeforeEach
    void holderIsKnown() {
        var path = "/services/controller/" + HOLDER;
        get(znodes.ensure("/services/controller"));
        get(znodes.createEphemeral(path, new ServiceRegistration(HOLDER, "localhost", 1, List.of(), null, null, "", 0)
                .json()));
        onLoop(() -> incumbent.onSuspicion(suspicions::incrementAndGet));
        holds(1);
        Awaitility.await().atMost(PATIENCE).until(() -> incumbent.address() != null);
    }

    @AfterEach
    void close() throws Exception {
        loop.close();
        zookeeper.close();
    }

    @Test
    void brokenConnectionIsAReasonToLookAndNoProof() {
        see(Sign.ALIVE);
        see(Sign.BROKEN);

        assertThat(suspicions).hasValue(1);
        assertThat(isDead()).isFalse();
    }

    @Test
    void oneThatGivesNoPulseYetIsNoReasonToHurryAndIsWatchedAgain() {
        see(Sign.BROKEN);
        assertThat(suspicions).hasValue(0);

        holds(1);

        assertThat(watches).hasSize(2);
    }

    @Test
    void oneThatIsSilentOnTwoConnectionsInARowIsDead() {
        see(Sign.ALIVE);
        see(Sign.SILENT);
        assertThat(isDead()).as("it may be this process that hung").isFalse();
        assertThat(suspicions).hasValue(0);

        see(Sign.SILENT);

        assertThat(suspicions).hasValue(1);
        assertThat(isDead()).isTrue();
    }

    @Test
    void oneThatIsHeardAgainIsAlive() {
        see(Sign.SILENT);
        see(Sign.ALIVE);
        see(Sign.SILENT);

        assertThat(isDead()).isFalse();
    }

    @Test
    void silenceInAnEarlierTermSaysNothingOfThisOne() {
        see(Sign.SILENT);
        see(Sign.SILENT);

        holds(2);

        assertThat(isDead()).isFalse();
        assertThat(watches).as("it is watched anew").hasSize(3);
    }

    @Test
    void eachMistakeMakesItMorePatient() {
        see(Sign.SILENT);
        see(Sign.SILENT);
        holds(2);

        see(Sign.SILENT);
        see(Sign.SILENT);
        assertThat(isDead()).isFalse();

        see(Sign.SILENT);
        assertThat(isDead()).isTrue();
    }

    @Test
    void whatAFormerWatchSeesCountsForNothing() {
        var former = watches.getLast();
        see(Sign.ALIVE);
        see(Sign.BROKEN);
        holds(1);

        onLoop(() -> former.accept(Sign.SILENT));
        onLoop(() -> former.accept(Sign.SILENT));

        assertThat(isDead()).isFalse();
        assertThat(suspicions).hasValue(1);
    }

    private void see(Sign sign) {
        watches.getLast().accept(sign);
        onLoop(() -> {});
    }

    private void holds(long term) {
        onLoop(() -> {
            incumbent.held(HOLDER, term);
            incumbent.is(HOLDER);
        });
    }

    private boolean isDead() {
        return get(CompletableFuture.supplyAsync(() -> incumbent.isDead(HOLDER), loop).thenCompose(dead -> dead));
    }

    private void onLoop(Runnable task) {
        get(CompletableFuture.runAsync(task, loop));
    }
}
